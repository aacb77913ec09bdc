/** A moment needs no options. */
export function DateTimeOptionsForm() {
  return null
}
