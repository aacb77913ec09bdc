/** A document needs no options. */
export function RichTextOptionsForm() {
  return null
}
