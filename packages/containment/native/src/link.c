#define _GNU_SOURCE
#include "link.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

bool open_link(int ends[2]) {
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return false;
  int on = 1;
  return setsockopt(ends[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof on) == 0;
}

bool send_link(int link, enum link_kind kind, uint32_t value) {
  struct link_message message = {.kind = (uint32_t)kind, .value = value};
  ssize_t sent;
  do {
    sent = send(link, &message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT);
  } while (sent < 0 && errno == EINTR);
  return sent == (ssize_t)sizeof message;
}

struct link_message receive_link(int link, pid_t *sender, bool *ended) {
  struct link_message message = {.kind = LINK_NONE, .value = 0};
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(struct ucred))];
  } control;
  memset(&control, 0, sizeof control);
  struct iovec part = {.iov_base = &message, .iov_len = sizeof message};
  struct msghdr header;
  memset(&header, 0, sizeof header);
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control.bytes;
  header.msg_controllen = sizeof control.bytes;
  ssize_t got;
  do {
    got = recvmsg(link, &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  *ended = got == 0 || (got < 0 && errno != EAGAIN);
  if (got != (ssize_t)sizeof message) return (struct link_message){.kind = LINK_NONE, .value = 0};
  struct cmsghdr *found = CMSG_FIRSTHDR(&header);
  if (sender != NULL && found != NULL && found->cmsg_level == SOL_SOCKET && found->cmsg_type == SCM_CREDENTIALS) {
    struct ucred credentials;
    memcpy(&credentials, CMSG_DATA(found), sizeof credentials);
    *sender = credentials.pid;
  }
  return message;
}

bool await_link(int link, enum link_kind kind, int patience_ms) {
  struct pollfd wait = {.fd = link, .events = POLLIN, .revents = 0};
  int ready;
  do {
    ready = poll(&wait, 1, patience_ms);
  } while (ready < 0 && errno == EINTR);
  if (ready != 1) return false;
  bool ended = false;
  return receive_link(link, NULL, &ended).kind == (uint32_t)kind;
}
