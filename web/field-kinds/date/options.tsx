/** A day needs no options. */
export function DateOptionsForm() {
  return null
}
