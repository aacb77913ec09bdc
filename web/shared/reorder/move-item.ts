/** The list with one item at another place; places outside are brought to the ends. */
export function moveItem<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const item = items[from]
  const end = Math.max(0, Math.min(to, items.length - 1))
  if (item === undefined || from === end) return items
  return items.toSpliced(from, 1).toSpliced(end, 0, item)
}
