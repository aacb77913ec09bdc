/** Any JSON: there is nothing to choose. */
export function JsonOptionsForm() {
  return null
}
