import type { Field } from '#domain/fields/field.ts'
import { formatDay, formatInstant, formatNumber } from '#web/shared/formatting/format-value.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { GridSummaryValue, GridGroup } from '#web/ui/grid/groups/group-rows.ts'
import type { Span } from '#web/ui/grid/rows/row-window.ts'
import { t } from '#web/i18n/t.ts'

/** A group as the server answers it. */
export type GroupBody = {
  readonly key: { readonly [field: string]: unknown }
  readonly label: string
  readonly count: number
  readonly offset: number
  readonly aggregates: { readonly [figure: string]: number | null }
}

/** Figures of the groups, by the key of each. */
export type SummariesOfGroup = (
  body: GroupBody,
) => { readonly [columnId: string]: GridSummaryValue | undefined } | undefined

/**
 * The groups of a list as the grid shows them, parents first, from what was read of each level: the outermost groups,
 * those inside them, and so on. A level may have gaps; what it lacks is shown without heads of its own.
 */
export function gridGroups(
  { fields }: TypedCollection,
  by: readonly string[],
  levels: readonly (readonly GroupBody[])[],
  figuresOf: SummariesOfGroup,
): readonly GridGroup[] {
  const labels = new Map<string, string>()
  const groups = levels.flatMap((bodies, depth) => {
    const field = fields.find(({ name }) => name === by[depth])
    return bodies.map((body): GridGroup => {
      const key = groupKey(by, depth, body)
      const around = depth === 0 ? undefined : labels.get(groupKey(by, depth - 1, body))
      labels.set(key, body.label)
      const label = around === undefined ? body.label : body.label.slice(around.length + SEPARATOR.length)
      return {
        key,
        depth,
        count: body.count,
        first: body.offset,
        label: groupLabel(field, body.key[by[depth] ?? ''], label),
        figures: figuresOf(body),
      }
    })
  })
  return groups.toSorted((one, other) => one.first - other.first || one.depth - other.depth)
}

/** What the server puts between the names of groups in groups. */
const SEPARATOR = ' · '

/** Names a group among all of its list. */
export const groupKey = (by: readonly string[], depth: number, { key }: Pick<GroupBody, 'key'>): string =>
  JSON.stringify(by.slice(0, depth + 1).map((name) => key[name] ?? null))

/** What a group is called: its value in the reader's language, or that there is none. */
function groupLabel(field: Field | undefined, value: unknown, label: string): string {
  if (!field) return label
  if (field.kind === 'checkbox')
    return value === true ? t('{label}: yes', { label: field.label }) : t('{label}: no', { label: field.label })
  if (value === null || value === undefined) return t('No {label}', { label: field.label })
  return localizedLabel(field, value) ?? label
}

function localizedLabel({ kind }: Field, value: unknown): string | undefined {
  if (typeof value === 'number') return kind === 'auto-number' ? String(value) : formatNumber(value)
  if (typeof value !== 'string') return undefined
  if (kind === 'date') return formatDay(value)
  return kind === 'date-time' ? formatInstant(value) : undefined
}

/** The rows that the groups of a page stand for. */
export function spanOfPage(groups: readonly GroupBody[]): Span {
  const [first, last] = [groups[0], groups.at(-1)]
  return { first: first?.offset ?? 0, end: last ? last.offset + last.count : 0 }
}

/**
 * The page of groups in which a row is to be found, guessed from the pages that are known; undefined when it is known
 * already, or on none. Each wrong guess halves, roughly, what is left to guess.
 */
export function pageHolding(
  known: ReadonlyMap<number, Span>,
  list: { readonly pages: number; readonly rows: number },
  ordinal: number,
): number | undefined {
  const pages = [...known]
  if (pages.some(([, { first, end }]) => ordinal >= first && ordinal < end)) return undefined
  const below = pages.filter(([, { end }]) => end <= ordinal).toSorted(([a], [b]) => b - a)[0] ?? START
  const above = pages.filter(([, { first }]) => first > ordinal).toSorted(([a], [b]) => a - b)[0]
  const [low, { end: from }] = below
  const [high, to] = above ? [above[0], above[1].first] : [list.pages + 1, list.rows]
  if (high - low <= 1) return undefined
  const share = to > from ? (ordinal - from) / (to - from) : 0
  return Math.min(Math.max(low + 1 + Math.floor(share * (high - low - 1)), low + 1), high - 1)
}

const START: readonly [number, Span] = [0, { first: 0, end: 0 }]
