/** Counts up from 1 by itself: there is nothing to choose. */
export function AutoNumberOptionsForm() {
  return null
}
