import { LIST_SEPARATORS, type ListSeparator, parseList } from '../shared/list-text.ts'
import { foldText } from '../shared/text.ts'

/** A menu with more options is hard to scan. */
const MAX_OPTIONS = 40
const MAX_OPTION_LENGTH = 60
/** Minimum average number of occurrences per option; fewer could be a coincidence. */
const MIN_REPETITIONS = 4
/** Longer cells can't be lists of options. */
const MAX_LIST_LENGTH = 500

/** Distinct values in a column, treating each cell as one value or as a list. */
export type OptionsProfile = {
  readonly separator: ListSeparator | null
  /** Counts by value; undefined once there are too many values for options. */
  names: Map<string, number> | undefined
  /** Values that occur alone in a cell. */
  readonly alone: Set<string>
  /** Values that occur with others in a cell. */
  readonly listed: Set<string>
  listCount: number
}

/** The first profile treats each cell as a single value. */
export const createOptionsProfiles = (): readonly OptionsProfile[] =>
  [null, ...LIST_SEPARATORS].map((separator) => ({
    separator,
    names: new Map(),
    alone: new Set(),
    listed: new Set(),
    listCount: 0,
  }))

export function addToOptions(profile: OptionsProfile, text: string): void {
  const { separator, alone, listed } = profile
  if (!profile.names) return
  const isList = separator !== null && text.length <= MAX_LIST_LENGTH && text.includes(separator)
  const names = isList ? parseList(text, separator) : [text]
  if (names.length > 1) profile.listCount += 1
  for (const name of names) (names.length > 1 ? listed : alone).add(name)
  for (const name of names) profile.names.set(name, (profile.names.get(name) ?? 0) + 1)
  const isTooMuch = profile.names.size > MAX_OPTIONS || names.some((name) => name.length > MAX_OPTION_LENGTH)
  if (isTooMuch) profile.names = undefined
}

export type DetectedOptions = { readonly separator: ListSeparator | null; readonly names: readonly string[] }

/** Lists are tried first: some cells must contain several values, and values must repeat. */
export function detectOptions(profiles: readonly OptionsProfile[], filledCount: number): DetectedOptions | undefined {
  const [whole, ...lists] = profiles
  for (const profile of [...lists.filter((list) => containsLists(list, filledCount)), whole]) {
    const names = profile && repeatedNames(profile)
    if (names) return { separator: profile.separator, names }
  }
  return undefined
}

/** At least half the values must also occur alone in a cell, unlike parts of a sentence or address. */
function containsLists({ alone, listed, listCount }: OptionsProfile, filledCount: number): boolean {
  const aloneCount = [...listed].filter((name) => alone.has(name)).length
  return listCount * 10 >= filledCount && aloneCount * 2 >= listed.size
}

/**
 * Returns undefined if values rarely repeat, or if some differ only in case or accents, which the user should resolve.
 */
function repeatedNames({ names }: OptionsProfile): readonly string[] | undefined {
  if (!names) return undefined
  const total = [...names.values()].reduce((sum, count) => sum + count, 0)
  const all = [...names.keys()]
  const isAmbiguous = new Set(all.map(foldText)).size < all.length
  return total < all.length * MIN_REPETITIONS || isAmbiguous ? undefined : all.toSorted()
}
