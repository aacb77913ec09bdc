import { grantOperators } from '#domain/access/grant-inputs.ts'
import {
  type Field,
  type FieldKind,
  hasSelectOptions,
  linkedCollection,
  shapeOf,
  type FieldShape,
} from '#domain/fields/field.ts'
import { rollupsIn, valueField } from '#domain/formulas/value-field.ts'
import { takesField } from '#domain/query/check/check-field-comparison.ts'
import {
  type Comparison,
  type Filter,
  type FilterLiteral,
  isFieldOperand,
  isList,
  type Operator,
  OPERATORS,
} from '#domain/query/filter/filter.ts'
import { OPERATOR_RULES, readsText, takesKind } from '#domain/query/filter/operators.ts'

/** One condition line, possibly without a value. `values` has one entry per value that the operator requires. */
export type ConditionDraft = {
  readonly key: number
  readonly field: string
  readonly op: Operator
  readonly values: readonly (FilterLiteral | undefined)[]
  /** Path of the field to compare with; '' until selected, undefined for a comparison with values. */
  readonly other?: string
}

const EMPTINESS: readonly Operator[] = ['is empty', 'is not empty']
const IN_TEXTS: readonly Operator[] = ['~', '!~', '^=', '$=']

const EQUALITY: readonly Operator[] = ['=', '!=']

/** Common operators by field shape; other operators are listed after these. */
const USUAL: { readonly [Shape in FieldShape]?: readonly Operator[] } = {
  text: [...IN_TEXTS, ...EQUALITY, ...EMPTINESS],
  option: [...EQUALITY, 'in', ...EMPTINESS],
  record: [...EQUALITY, 'in', '~', ...EMPTINESS],
  person: [...EQUALITY, 'in', ...EMPTINESS],
  boolean: EQUALITY,
}

export function operatorsFor(field: Field, isOfGrant = false): readonly Operator[] {
  const { kind } = valueField(field)
  const usual = USUAL[shapeOf({ kind })] ?? knownOperators(field).filter((op) => op !== 'in' || kind === 'number')
  return usual.filter((op) => !isOfGrant || isForGrants(op, field))
}

export function furtherOperators(field: Field, isOfGrant = false): readonly Operator[] {
  const usual = operatorsFor(field)
  return knownOperators(field).filter((op) => !usual.includes(op) && (!isOfGrant || isForGrants(op, field)))
}

/** Values that are calculated from other records can't limit permissions. */
export const isForGrants = (op: Operator, field: Field): boolean =>
  rollupsIn([field]).length === 0 && grantOperators(valueField(field).kind).includes(op)

/** Files are matched by name, because their ids aren't shown. */
const knownOperators = (field: Field): readonly Operator[] => operatorsOfKind(valueField(field).kind)

const operatorsOfKind = (kind: FieldKind): readonly Operator[] =>
  OPERATORS.filter((op) => takesKind(op, kind) && (kind !== 'files' || readsText(op) || EMPTINESS.includes(op)))

/** Whether a field contains dates or date-times; undefined for other fields. */
export function momentShape(field: Field): 'date' | 'date-time' | undefined {
  const shape = shapeOf(valueField(field))
  return shape === 'date' || shape === 'date-time' ? shape : undefined
}

export function operatorWords(op: Operator, field: Field): string {
  const { label: words, dateLabel: dateWords } = OPERATOR_RULES[op]
  return momentShape(field) ? (dateWords ?? words) : words
}

const firstOperator = (field: Field, isOfGrant: boolean): Operator => operatorsFor(field, isOfGrant)[0] ?? 'is empty'

/** A checkbox has no empty state, so its condition is complete from the start. */
export const newCondition = (key: number, field: Field, isOfGrant = false): ConditionDraft =>
  withOperator(
    { key, field: field.name, op: '=', values: valueField(field).kind === 'checkbox' ? [true] : [] },
    firstOperator(field, isOfGrant),
  )

/** Keeps an “is empty” or “is not empty” operator; resets any other. */
export function withField({ key, op }: ConditionDraft, field: Field, isOfGrant = false): ConditionDraft {
  const begun = newCondition(key, field, isOfGrant)
  return OPERATOR_RULES[op].takes === 'nothing' && operatorsFor(field).includes(op) ? withOperator(begun, op) : begun
}

/** Keeps values that are valid for the new operator. */
export function withOperator(draft: ConditionDraft, op: Operator): ConditionDraft {
  if (draft.other !== undefined) return takesField(op) ? { ...draft, op } : withOperator(withValues(draft), op)
  const { takes } = OPERATOR_RULES[op]
  if (takes === 'nothing') return { ...draft, op, values: [] }
  if (takes === 'list') return { ...draft, op, values: draft.values.filter((value) => value !== undefined) }
  return { ...draft, op, values: [draft.values[0], ...(takes === 'pair' ? [draft.values[1]] : [])] }
}

/** Removes the comparison with a field and restores the previous values. */
export const withValues = ({ key, field, op, values }: ConditionDraft): ConditionDraft => ({ key, field, op, values })

export const withOther = (draft: ConditionDraft, other: string): ConditionDraft => ({ ...draft, other })

/** Resets the value when switching between an operator for references and one for search text. */
export function switchedOperator(draft: ConditionDraft, op: Operator, field: Field): ConditionDraft {
  const pointsAt = hasSelectOptions(field) || linkedCollection(field) !== undefined || field.kind === 'user'
  const isOther = pointsAt && readsText(draft.op) !== readsText(op)
  return withOperator(isOther ? { ...draft, values: [] } : draft, op)
}

/** Undefined if a value is missing. */
export function conditionOf({ field, op, values, other }: ConditionDraft): Comparison | undefined {
  if (other !== undefined) return other === '' ? undefined : { field, op, value: { field: other } }
  const { takes } = OPERATOR_RULES[op]
  if (takes === 'nothing') return { field, op }
  const given = values.filter((value) => value !== undefined)
  if (takes === 'list') return given.length === 0 ? undefined : { field, op, value: given }
  if (given.length < (takes === 'pair' ? 2 : 1)) return undefined
  const [first] = given
  return takes === 'pair' ? { field, op, value: given } : first === undefined ? undefined : { field, op, value: first }
}

export function draftOf({ field, op, value }: Comparison, key: number): ConditionDraft {
  if (value === undefined) return { key, field, op, values: [] }
  if (isFieldOperand(value)) return { key, field, op, values: [], other: value.field }
  return { key, field, op, values: isList(value) ? value : [value] }
}

export type Join = 'all' | 'any'

export type GroupDraft = { readonly key: number; readonly join: Join; readonly parts: readonly PartDraft[] }

export type PartDraft = ConditionDraft | GroupDraft

/** Deeper nesting would be unreadable. */
export const MAX_GROUP_DEPTH = 2

type KeyMaker = () => number

export const isGroup = (part: PartDraft): part is GroupDraft => 'parts' in part

/** Undefined if the filter is nested too deeply or contains formulas, which are edited as text. */
export function groupDraft(filter: Filter | null, newKey: KeyMaker): GroupDraft | undefined {
  if (filter === null) return { key: newKey(), join: 'all', parts: [] }
  if ('field' in filter) return { key: newKey(), join: 'all', parts: [draftOf(filter, newKey())] }
  if ('formula' in filter) return undefined
  return groupAt(filter, newKey, 0)
}

export const canDraw = (filter: Filter | null): boolean => groupDraft(filter, () => 0) !== undefined

type GroupFilter = Extract<Filter, { all: unknown } | { any: unknown }>

function groupAt(filter: GroupFilter, newKey: KeyMaker, depth: number): GroupDraft | undefined {
  if (depth > MAX_GROUP_DEPTH) return undefined
  const key = newKey()
  const parts: PartDraft[] = []
  for (const part of 'all' in filter ? filter.all : filter.any) {
    if ('formula' in part) return undefined
    const drawn = 'field' in part ? draftOf(part, newKey()) : groupAt(part, newKey, depth + 1)
    if (drawn === undefined) return undefined
    parts.push(drawn)
  }
  return { key, join: 'all' in filter ? 'all' : 'any', parts }
}

/** Null if there are no complete lines. */
export function filterOfGroup(group: GroupDraft): Filter | null {
  const parts = group.parts.flatMap((part): Filter[] => {
    const said = isGroup(part) ? filterOfGroup(part) : (conditionOf(part) ?? null)
    return said === null ? [] : [said]
  })
  const [only] = parts
  if (only === undefined) return null
  return parts.length === 1 ? only : group.join === 'all' ? { all: parts } : { any: parts }
}

export const isComplete = (group: GroupDraft): boolean =>
  group.parts.every((part) => (isGroup(part) ? part.parts.length > 0 && isComplete(part) : conditionOf(part)))

/** Replaces or removes a line or group. */
export function withPart(group: GroupDraft, key: number, part: PartDraft | undefined): GroupDraft {
  return {
    ...group,
    parts: group.parts.flatMap((each): readonly PartDraft[] => {
      if (each.key === key) return part === undefined ? [] : [part]
      return [isGroup(each) ? withPart(each, key, part) : each]
    }),
  }
}

export function withAdded(group: GroupDraft, key: number, part: PartDraft): GroupDraft {
  const parts = group.parts.map((each) => (isGroup(each) ? withAdded(each, key, part) : each))
  return { ...group, parts: group.key === key ? [...parts, part] : parts }
}

export function withJoin(group: GroupDraft, key: number, join: Join): GroupDraft {
  const parts = group.parts.map((each) => (isGroup(each) ? withJoin(each, key, join) : each))
  return { ...group, join: group.key === key ? join : group.join, parts }
}

/** Copies have new keys. */
export function copyOfPart(part: PartDraft, newKey: KeyMaker): PartDraft {
  if (!isGroup(part)) return { ...part, key: newKey() }
  return { ...part, key: newKey(), parts: part.parts.map((each) => copyOfPart(each, newKey)) }
}

export function withPartAfter(group: GroupDraft, key: number, part: PartDraft): GroupDraft {
  return {
    ...group,
    parts: group.parts.flatMap((each): readonly PartDraft[] => {
      if (each.key === key) return [each, part]
      return [isGroup(each) ? withPartAfter(each, key, part) : each]
    }),
  }
}

export function findPart(group: GroupDraft, key: number): PartDraft | undefined {
  for (const part of group.parts) {
    if (part.key === key) return part
    const inside = isGroup(part) ? findPart(part, key) : undefined
    if (inside) return inside
  }
  return undefined
}

export const rowsOf = (group: GroupDraft): readonly ConditionDraft[] =>
  group.parts.flatMap((part) => (isGroup(part) ? rowsOf(part) : [part]))

export const levelsOf = (part: PartDraft): number => (isGroup(part) ? 1 + Math.max(0, ...part.parts.map(levelsOf)) : 0)

export type MoveBy = -1 | 1

/**
 * Moves a line or group by one line: past its neighbor, into an adjacent group or, at either end, out of its own group.
 * Removes empty groups. Returns the same tree if it can't move.
 */
export function moveCondition(root: GroupDraft, key: number, by: MoveBy): GroupDraft {
  return movedIn(root, key, by, 0) ?? root
}

function movedIn(group: GroupDraft, key: number, by: MoveBy, depth: number): GroupDraft | undefined {
  const at = group.parts.findIndex((part) => part.key === key)
  if (at >= 0) return movedAmong(group, at, by, depth)
  for (const [place, part] of group.parts.entries()) {
    if (!isGroup(part)) continue
    const left = leaving(part, key, by)
    if (left) {
      const rest = left.rest.parts.length > 0 ? [left.rest] : []
      return withParts(group, place, by < 0 ? [left.part, ...rest] : [...rest, left.part])
    }
    const moved = movedIn(part, key, by, depth + 1)
    if (moved) return withParts(group, place, [moved])
  }
  return undefined
}

/** Moves a line or group past its neighbor, or into a neighboring group if the nesting limit allows it. */
function movedAmong(group: GroupDraft, at: number, by: MoveBy, depth: number): GroupDraft | undefined {
  const [part, beside] = [group.parts[at], group.parts[at + by]]
  if (!part || !beside) return undefined
  const without = group.parts.toSpliced(at, 1)
  if (!isGroup(beside) || depth + 1 + levelsOf(part) > MAX_GROUP_DEPTH)
    return { ...group, parts: without.toSpliced(at + by, 0, part) }
  const parts = by > 0 ? [part, ...beside.parts] : [...beside.parts, part]
  return { ...group, parts: without.map((each) => (each === beside ? { ...beside, parts } : each)) }
}

type Left = { readonly part: PartDraft; readonly rest: GroupDraft }

/**
 * Moves a line or group out of its group if it is the outermost child in that direction; otherwise returns undefined.
 */
function leaving(group: GroupDraft, key: number, by: MoveBy): Left | undefined {
  const part = by < 0 ? group.parts[0] : group.parts.at(-1)
  if (part?.key !== key) return undefined
  return { part, rest: { ...group, parts: group.parts.filter((each) => each !== part) } }
}

const withParts = (group: GroupDraft, at: number, parts: readonly PartDraft[]): GroupDraft => ({
  ...group,
  parts: group.parts.toSpliced(at, 1, ...parts),
})
