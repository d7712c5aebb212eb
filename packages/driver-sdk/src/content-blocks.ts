import { isJsonObject, jsonText, stringMember } from './json-line.js';

/** Text of a tool's answer given in content blocks: text blocks as they are, others as JSON, one per line. */
export function joinContentBlocks(blocks: readonly unknown[]): string {
  return blocks
    .map((block) => {
      const text = isJsonObject(block) && block.type === 'text' ? stringMember(block, 'text') : undefined;
      return text ?? jsonText(block);
    })
    .join('\n');
}
