import type { Field, FieldValue } from '../../fields/field.ts'
import { foldedText } from '../../fields/folded-text.ts'
import { emptyValue } from '../../fields/kinds.ts'
import type { CollectionRecord } from '../../records/record.ts'
import { plainText } from '../../rich-text/plain-text.ts'
import { foldText } from '../../shared/text.ts'
import type { AssetId, CollectionId, RecordId, UserId } from '../../shared/ids.ts'
import { evaluateExpression } from '../../formulas/evaluate-formula.ts'
import { foldFormulaText } from '../../formulas/operations/texts.ts'
import type { ViewId } from '../../views/view.ts'
import type { CheckedNode, ComputedValue, Leaf, Scalar, Source, Step } from '../check/checked-filter.ts'
import { kindOfLeaf } from '../filter/read-literal.ts'

/** Resolves linked records, file names and user names in memory. */
export type Lookup = {
  readonly recordOf: (collection: CollectionId, id: RecordId) => CollectionRecord | undefined
  /** Records of a collection that link to a record, in ID order. */
  readonly linkingTo: (
    collection: CollectionId,
    relation: Field<'relation'>,
    id: RecordId,
  ) => readonly CollectionRecord[]
  readonly fileNameOf: (id: AssetId) => string | undefined
  readonly userNameOf: (id: UserId) => string | undefined
  /** Key of a record that was moved in a view's manual order. */
  readonly manualKeyOf: (view: ViewId, id: RecordId) => string | undefined
}

/** Lookup for conditions that read only the record's own values. */
export const NO_LOOKUP: Lookup = {
  recordOf: () => undefined,
  linkingTo: () => [],
  fileNameOf: () => undefined,
  userNameOf: () => undefined,
  manualKeyOf: () => undefined,
}

/** Passed as an argument to avoid a circular import of `matches`. */
export type NodeMatcher = (condition: CheckedNode, record: CollectionRecord, lookup: Lookup) => boolean

/** Stored value, and its folded text if there is one. */
export type LeafValue = { readonly scalar: Scalar; readonly readable: () => string | null }

export function valuesAt(
  source: Source,
  record: CollectionRecord,
  lookup: Lookup,
  nodeMatches: NodeMatcher,
): LeafValue[] {
  return recordsAt(source.steps, record, lookup, nodeMatches).flatMap((reached) =>
    leafValues(source.leaf, reached, lookup, nodeMatches),
  )
}

export function recordsAt(
  steps: readonly Step[],
  record: CollectionRecord,
  lookup: Lookup,
  nodeMatches: NodeMatcher,
): readonly CollectionRecord[] {
  return steps.reduce<readonly CollectionRecord[]>(
    (records, step) => records.flatMap((from) => relatedRecords(step, from, lookup, nodeMatches)),
    [record],
  )
}

/** Visible linked records, in the order of the relation, or if reversed of their IDs. */
export function relatedRecords(
  { relation, isReverse, readable, into, visible }: Step,
  record: CollectionRecord,
  lookup: Lookup,
  nodeMatches: NodeMatcher,
): CollectionRecord[] {
  if (readable !== null && !nodeMatches(readable, record, lookup)) return []
  const linked = isReverse
    ? lookup.linkingTo(into, relation, record.id)
    : idsIn(valueIn(relation, record)).flatMap((id) => lookup.recordOf(into, id) ?? [])
  return linked.filter((related) => visible === null || nodeMatches(visible, related, lookup))
}

const valueIn = (field: Field, record: CollectionRecord): FieldValue => record.values[field.id] ?? emptyValue(field)

export function leafValues(
  leaf: Leaf,
  record: CollectionRecord,
  lookup: Lookup,
  nodeMatches: NodeMatcher,
): LeafValue[] {
  if (leaf.type === 'system') {
    const own = record[leaf.field]
    if (own === null) return []
    return kindOfLeaf(leaf) === 'user' ? [named(own, lookup.userNameOf)] : [plain(own)]
  }
  const { field, readable, computed } = leaf
  if (readable !== null && !nodeMatches(readable, record, lookup)) return []
  return computed ? computedValues(computed, record) : fieldValues(field, record, lookup)
}

function computedValues({ expression, calendar }: ComputedValue, record: CollectionRecord): LeafValue[] {
  const value = evaluateExpression(expression, record, calendar)
  return value === null || value === '' ? [] : [{ scalar: value, readable: () => foldFormulaText(String(value)) }]
}

function fieldValues(field: Field, record: CollectionRecord, lookup: Lookup): LeafValue[] {
  const value = valueIn(field, record)
  if (value === null || value === '') return []
  if (typeof value === 'object' && 'type' in value)
    return [{ scalar: '', readable: () => foldedOrNull(plainText(value)) }]
  if (field.kind === 'files') return idsIn(value).map((id) => named(id, lookup.fileNameOf))
  if (field.kind === 'user') return idsIn(value).map((id) => named(id, lookup.userNameOf))
  if (typeof value === 'object') return value.map(plain)
  return [{ scalar: value, readable: () => foldedText(field.kind, String(value)) }]
}

const plain = (scalar: Scalar): LeafValue => ({ scalar, readable: () => foldText(String(scalar)) })

const named = (id: string, nameOf: (id: string) => string | undefined): LeafValue => ({
  scalar: id,
  readable: () => foldedOrNull(nameOf(id) ?? ''),
})

/** An empty document is a value with empty text. */
const foldedOrNull = (text: string): string | null => (text === '' ? null : foldText(text))

function idsIn(value: FieldValue): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null && !('type' in value) ? value : []
}
