// Server-sent events read from a fetch response, because EventSource can neither POST nor send a header.

/** Yields the data of each event, parsed as JSON. An end without a blank line drops the unfinished event. */
export async function* events(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    buffer += value;
    const blocks = buffer.split(/\r?\n\r?\n/);
    buffer = blocks.pop();
    for (const block of blocks) {
      const data = dataOf(block);
      if (data && data !== "[DONE]") yield JSON.parse(data);
    }
  }
}

function dataOf(block) {
  return block
    .split(/\r?\n/)
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice(5).replace(/^ /, ""))
    .join("\n");
}
