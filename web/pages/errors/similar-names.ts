import { foldText } from '#domain/shared/text.ts'

/** A page and its names, in URLs and on screen. */
export type NamedTarget = { readonly href: string; readonly label: string; readonly names: readonly string[] }

const MAX_RESULTS = 3

/** Shorter segments match anything. */
const SHORTEST_PART = 3

/** Levenshtein distance. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at]
    for (let to = 1; to <= other.length; to += 1) {
      const isSame = one[at - 1] === other[to - 1]
      const changed = (row[to - 1] ?? 0) + (isSame ? 0 : 1)
      next.push(Math.min(changed, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/** Undefined if the words are unrelated. */
function distanceFrom(part: string, name: string): number | undefined {
  const known = foldText(name)
  if (known.startsWith(part) || part.startsWith(known)) return Math.abs(known.length - part.length) / 10
  const letters = editDistance(part, known)
  return letters <= Math.max(1, Math.floor(part.length / 3)) ? letters : undefined
}

/** Pages with names close to a segment of this path, nearest first. */
export function similarNames(path: string, places: readonly NamedTarget[]): readonly NamedTarget[] {
  const parts = path
    .split('/')
    .map((part) => foldText(part))
    .filter((part) => part.length >= SHORTEST_PART && part !== 'collections' && part !== 'settings')
  return places
    .flatMap((place) => {
      const found = parts.flatMap((part) =>
        place.names.filter((name) => name.length >= SHORTEST_PART).flatMap((name) => distanceFrom(part, name) ?? []),
      )
      return found.length === 0 ? [] : [{ place, far: Math.min(...found) }]
    })
    .toSorted((one, other) => one.far - other.far)
    .slice(0, MAX_RESULTS)
    .map(({ place }) => place)
}
