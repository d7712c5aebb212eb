/*
 * The warden's own exit codes, one reason each. They are for people and tests: what became of the program is in
 * the status records only.
 */
#ifndef WARDEN_EXIT_CODES_H
#define WARDEN_EXIT_CODES_H

enum exit_code {
  /* The program ended and its exit record was sent. */
  EXIT_DONE = 0,
  /* The specification was refused; nothing was touched. */
  EXIT_SPEC_REFUSED = 10,
  /* The control socket ended before the specification was complete; nothing was touched. */
  EXIT_SPEC_CUT = 11,
  /* The specification or the command to go on did not come in time. */
  EXIT_LATE = 12,
  /* A command was not one of those that may come now. */
  EXIT_COMMAND_REFUSED = 13,
  /* The control socket ended before the command to go on; nothing was run. */
  EXIT_NOT_STARTED = 14,
  /* A step before the program's process failed; a failed record names it. */
  EXIT_NOT_PREPARED = 15,
  /* The program could not be executed; a failed record names the step. */
  EXIT_NOT_EXECUTED = 16,
  /* The lifeline ended, or the warden was told to stop, while the program ran; the tree was killed. */
  EXIT_TREE_ENDED = 17,
  /* The guardian was killed; the outer process ended the tree. */
  EXIT_GUARDIAN_LOST = 18,
  /* The warden was not started by the runtime, or could not set itself up. */
  EXIT_UNUSABLE = 19,
  /* Descendants in an uninterruptible sleep were left when the program's end was reported. */
  EXIT_SURVIVORS = 20,
};

#endif
