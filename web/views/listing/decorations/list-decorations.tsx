import { useLayoutEffect, useMemo } from 'react'
import { useSummaryBar } from '#web/views/listing/summaries/use-summary-bar.tsx'
import { useGroups } from '#web/views/listing/groups/use-groups.ts'
import type { DecoratedList, DecorationsState } from './use-decorations.tsx'
import type { RecordListItem } from '#api/records.ts'
import { useUser } from '#web/data/session/use-session.ts'
import { useFindCollection } from '#web/shared/conditions/describe-condition.ts'
import type { RowColors } from '#web/ui/grid/rows/body-row.tsx'
import type { ColorRule } from '#web/views/listing/list-settings.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import {
  type ColorContext,
  colorMatcher,
  describeColorRule,
} from '#web/views/listing/conditional-colors/conditional-colors.ts'
import '../conditional-colors/conditional-colors.css'

function useConditionalColors({
  collection,
  look,
}: DecoratedList): ((line: RecordRow) => RowColors | undefined) | undefined {
  const findCollection = useFindCollection()
  const userId = useUser()?.id ?? null
  const { colors } = look
  return useMemo(() => {
    if (colors.length === 0) return undefined
    const paint = colorMatcherModule(colors, { collection, findCollection, userId, now: new Date() })
    return ({ record }) => paint(record)
  }, [collection, findCollection, userId, colors])
}

/** Determines the colors of records; each record is evaluated again only after it changes. */
function colorMatcherModule(rules: readonly ColorRule[], world: ColorContext) {
  const checker = colorMatcher(rules, world)
  const words = rules.map(({ filter }) => describeColorRule(filter, world))
  const known = new WeakMap<RecordListItem, { readonly paint: RowColors | undefined }>()
  return (record: RecordListItem): RowColors | undefined => {
    const before = known.get(record)
    if (before) return before.paint
    const paint = rowColorOf(rules, words, checker(record))
    known.set(record, { paint })
    return paint
  }
}

/** The color of the first matching rule, separately for the row and for each column. */
function rowColorOf(
  rules: readonly ColorRule[],
  words: readonly string[],
  fitting: readonly number[],
): RowColors | undefined {
  const marks = new Map<string | null, NonNullable<RowColors['row']>>()
  for (const at of fitting) {
    const rule = rules[at]
    if (!rule || marks.has(rule.field)) continue
    marks.set(rule.field, { hue: rule.color, sign: String(at + 1), why: words[at] ?? '' })
  }
  if (marks.size === 0) return undefined
  const row = marks.get(null)
  const cells = [...marks].flatMap(([field, mark]) => (field === null ? [] : [[field, mark] as const]))
  return { ...(row && { row }), cells: Object.fromEntries(cells) }
}

/** Computes a list's decorations and reports them. Renders nothing itself, so that it doesn't delay the list. */
export function ListDecorations({
  list,
  onDecorated,
}: {
  readonly list: DecoratedList
  readonly onDecorated: (decorated: DecorationsState) => void
}) {
  const { grouping, areHeadsDue } = useGroups(list)
  const footer = useSummaryBar(list)
  const paintOf = useConditionalColors(list)
  const decorated = useMemo<DecorationsState>(
    () => ({
      decorations: { ...(grouping && { grouping }), ...(footer && { footer }), ...(paintOf && { paintOf }) },
      areHeadsDue,
    }),
    [grouping, footer, paintOf, areHeadsDue],
  )
  // Runs before paint, so that the list is never shown without its decorations.
  useLayoutEffect(() => onDecorated(decorated), [onDecorated, decorated])
  return null
}
