import type { Field, FieldValue } from '../../fields/field.ts'
import { foldedText } from '../../fields/folded-text.ts'
import { emptyValue } from '../../fields/kinds.ts'
import type { CollectionRecord } from '../../records/record.ts'
import { plainText } from '../../rich-text/plain-text.ts'
import { foldText } from '../../shared/text.ts'
import type { AssetId, CollectionId, RecordId, UserId } from '../../shared/ids.ts'
import type { CheckedNode, Leaf, Scalar, Source, Step } from '../check/checked-filter.ts'
import { kindOfLeaf } from '../filter/read-literal.ts'

/** What a record in memory is read with: the records its relations name, the names of its files and of its people. */
export type Lookup = {
  readonly recordOf: (collection: CollectionId, id: RecordId) => CollectionRecord | undefined
  readonly fileNameOf: (id: AssetId) => string | undefined
  readonly userNameOf: (id: UserId) => string | undefined
}

/** Decides whether a record is among those a condition describes; `matches` itself, handed in because it reads values in turn. */
export type NodeMatcher = (condition: CheckedNode, record: CollectionRecord, lookup: Lookup) => boolean

/** A filled value: the scalar as it is stored, and its folded text; null where there is nothing to read. */
export type LeafValue = { readonly scalar: Scalar; readonly readable: () => string | null }

/** Every filled value at a source, through all its relations. */
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

function recordsAt(
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

/** The records one relation leads to, in its own order, as far as it is there and they exist and may be reached. */
export function relatedRecords(
  { relation, readable, into, visible }: Step,
  record: CollectionRecord,
  lookup: Lookup,
  nodeMatches: NodeMatcher,
): CollectionRecord[] {
  if (readable !== null && !nodeMatches(readable, record, lookup)) return []
  return idsIn(valueIn(relation, record))
    .flatMap((id) => lookup.recordOf(into, id) ?? [])
    .filter((related) => visible === null || nodeMatches(visible, related, lookup))
}

/** What a record holds in a field, empty in the field's own sense if it holds nothing. */
const valueIn = (field: Field, record: CollectionRecord): FieldValue => record.values[field.id] ?? emptyValue(field)

/** The filled values of a leaf in one record: none, one, or a list's. */
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
  const { field, readable } = leaf
  return readable === null || nodeMatches(readable, record, lookup) ? fieldValues(field, record, lookup) : []
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

/** What is kept by id and read by name. */
const named = (id: string, nameOf: (id: string) => string | undefined): LeafValue => ({
  scalar: id,
  readable: () => foldedOrNull(nameOf(id) ?? ''),
})

/** A document without a word is there, but nothing can be read in it. */
const foldedOrNull = (text: string): string | null => (text === '' ? null : foldText(text))

function idsIn(value: FieldValue): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null && !('type' in value) ? value : []
}
