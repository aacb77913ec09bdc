import type { CollectionAppearance } from '#domain/collections/collection-appearance.ts'
import { foldText } from '#domain/shared/text.ts'
import type { Icon } from '#web/ui/icons/draw-icon.tsx'

/** Default order of palette groups. */
const ITEM_GROUPS = ['page', 'go', 'create', 'settings', 'app', 'missing'] as const

export type ItemGroup = (typeof ITEM_GROUPS)[number]

export type PaletteItem = {
  /** Never changes, because the list of recent items refers to it. */
  readonly id: string
  readonly group: ItemGroup
  readonly label: string
  /** Context for labels that are ambiguous on their own. */
  readonly within?: string
  /** A sentence below the label. */
  readonly note?: string
  readonly alsoCalled?: readonly string[]
  readonly icon?: Icon
  readonly look?: Pick<CollectionAppearance, 'icon' | 'color'>
  readonly keys?: string
  /** A section of a page; found only by searching, because the page has its own item. */
  readonly isPart?: true
} & ({ readonly href: string } | { readonly run: () => void })

/** `>` limits the search to commands, `/` to pages. */
type PaletteQuery = { readonly mode: 'all' | 'do' | 'go'; readonly words: string }

export function parseQuery(text: string): PaletteQuery {
  const typed = text.trimStart()
  if (typed.startsWith('>')) return { mode: 'do', words: typed.slice(1).trim() }
  if (typed.startsWith('/')) return { mode: 'go', words: typed.slice(1).trim() }
  return { mode: 'all', words: typed.trim() }
}

const GROUPS_OF: Readonly<Record<PaletteQuery['mode'], readonly ItemGroup[]>> = {
  all: ITEM_GROUPS,
  do: ['page', 'create', 'app'],
  go: ['go', 'settings'],
}

const wordsOf = (text: string): string[] => foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** Only the differences between scores matter. */
const SCORES = {
  whole: 40,
  start: 14,
  word: 10,
  beginning: 6,
  firstWord: 3,
  initials: 4,
  within: 3,
  alsoCalled: 2,
  part: -8,
}

/** Maximum bonus for recent items: outweighs the position of the matched word but not a better match. */
const RECENT_SCORE = 5

/** Maximum number of letters, because the combinations to check double with each letter. */
const MAX_INITIALS = 12

/** Whether the letters consist of word prefixes in the given order, such as `sesl` for “session limits”. */
function isOfBeginnings(letters: string, words: readonly string[]): boolean {
  if (letters === '') return true
  return words.some((word, at) => {
    const rest = words.slice(at + 1)
    for (let length = 1; length <= word.length && letters.startsWith(word.slice(0, length)); length += 1) {
      if (isOfBeginnings(letters.slice(length), rest)) return true
    }
    return false
  })
}

function scoreOfWord(requested: string, label: readonly string[], within: readonly string[], also: readonly string[]) {
  const at = label.findIndex((word) => word.startsWith(requested))
  if (at >= 0) {
    const isWhole = label.includes(requested)
    return (isWhole ? SCORES.word : SCORES.beginning) + (at === 0 ? SCORES.firstWord : 0)
  }
  if (within.some((word) => word.startsWith(requested))) return SCORES.within
  if (also.some((word) => word.startsWith(requested))) return SCORES.alsoCalled
  return requested.length <= MAX_INITIALS && isOfBeginnings(requested, label) ? SCORES.initials : undefined
}

/** Undefined if there is no match. Every search word must be a prefix of a word in the item. */
export function scoreOf(item: PaletteItem, words: string): number | undefined {
  const requested = wordsOf(words)
  const label = wordsOf(item.label)
  const within = wordsOf(item.within ?? '')
  const also = (item.alsoCalled ?? []).flatMap(wordsOf)
  const worths = requested.map((word) => scoreOfWord(word, label, within, also))
  if (worths.includes(undefined)) return undefined
  const sum = worths.reduce<number>((all, worth) => all + (worth ?? 0), 0)
  const [whole, text] = [label.join(' '), requested.join(' ')]
  const ofWhole = whole === text ? SCORES.whole : whole.startsWith(text) ? SCORES.start : 0
  return sum + ofWhole + (item.isPart === true ? SCORES.part : 0) - label.length / 10
}

export type RankedGroup = { readonly group: ItemGroup | 'recent'; readonly items: readonly PaletteItem[] }

type Ranking = {
  /** Item ids, newest first. */
  readonly recent: readonly string[]
  readonly mostOfGroup: number
}

/** Groups and items sorted by score. */
export function rankItems(
  items: readonly PaletteItem[],
  { mode, words }: PaletteQuery,
  { recent, mostOfGroup }: Ranking,
): readonly RankedGroup[] {
  const groups = GROUPS_OF[mode]
  const open = items.filter(({ group }) => groups.includes(group))
  if (words === '') return firstItems(open, groups, { recent, mostOfGroup })
  const bonus = (id: string) => {
    const place = recent.indexOf(id)
    return place < 0 ? 0 : RECENT_SCORE * (1 - place / recent.length)
  }
  const found = open
    .flatMap((item) => {
      const worth = scoreOf(item, words)
      return worth === undefined ? [] : [{ item, worth: worth + bonus(item.id) }]
    })
    .toSorted((one, other) => other.worth - one.worth)
  const inOrder = [...new Set(found.map(({ item }) => item.group))]
  return inOrder.map((group) => ({
    group,
    items: found.flatMap(({ item }) => (item.group === group ? [item] : [])).slice(0, mostOfGroup),
  }))
}

/** Shown for an empty search: recent items, then all groups. */
function firstItems(items: readonly PaletteItem[], groups: readonly ItemGroup[], { recent, mostOfGroup }: Ranking) {
  const used = recent.flatMap((id) => items.find((item) => item.id === id) ?? []).slice(0, mostOfGroup)
  const others = groups.map((group) => ({
    group,
    items: items.filter((item) => item.group === group && !item.isPart && !used.includes(item)).slice(0, mostOfGroup),
  }))
  return [{ group: 'recent' as const, items: used }, ...others].filter((ranked) => ranked.items.length > 0)
}
