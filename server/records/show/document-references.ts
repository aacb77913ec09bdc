import type { DocumentReferencesBody } from '#api/records.ts'
import { decide } from '#domain/access/decide.ts'
import type { RichDocument } from '#domain/rich-text/document-schema.ts'
import { fileIdsIn, type Mention, mentionsIn } from '#domain/rich-text/document-references.ts'
import type { AssetId, CollectionId, RecordId } from '#domain/shared/ids.ts'
import { filesById, peopleById, recordTitles } from './linked-names.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { type QueryActor, idsInside, scopeOf } from '#server/access/record-access/authorized-query.ts'

export type OpenedDocument = { readonly record: RecordId; readonly documents: readonly RichDocument[] }

type DocumentReferences = { readonly files: readonly AssetId[]; readonly mentions: readonly Mention[] }

const NO_REFERENCES: DocumentReferencesBody = { files: {}, people: {}, records: {} }

/** Resolves the IDs in documents for the reader, in one batch; deleted and hidden targets are left out. */
export async function showReferences(
  deps: RecordDeps,
  queryActor: QueryActor,
  opened: readonly OpenedDocument[],
): Promise<readonly DocumentReferencesBody[]> {
  const found = opened.map(({ documents }) => foundIn(documents))
  const mentions = found.flatMap((each) => each.mentions)
  const places = new Set(opened.flatMap(({ record }, at) => (found[at]?.files ?? []).map((id) => `${record} ${id}`)))
  const [files, people, titles] = await Promise.all([
    // A file is visible wherever it is embedded.
    filesById(deps, queryActor.actor, unique(found.flatMap((each) => each.files)), ({ id, record_id: record }) =>
      places.has(`${record} ${id}`),
    ),
    peopleById(deps, unique(mentions.flatMap((one) => (one.kind === 'user' ? one.id : [])))),
    titlesById(deps, queryActor, mentions),
  ])
  return found.map((each) => {
    if (each.files.length === 0 && each.mentions.length === 0) return NO_REFERENCES
    const ids = each.mentions.map(({ id }) => id)
    return {
      files: pick(each.files, (id) => files.get(id)),
      people: pick(ids, (id) => people.get(id)?.name),
      records: pick(ids, (id) => titles.get(id)),
    }
  })
}

const foundIn = (documents: readonly RichDocument[]): DocumentReferences => ({
  files: documents.flatMap(fileIdsIn),
  mentions: documents.flatMap(mentionsIn),
})

const unique = (ids: readonly string[]): string[] => [...new Set(ids)]

const pick = <Value>(ids: readonly string[], of: (id: string) => Value | undefined): { [id: string]: Value } =>
  Object.fromEntries(
    ids.flatMap((id): [string, Value][] => {
      const value = of(id)
      return value === undefined ? [] : [[id, value]]
    }),
  )

async function titlesById(
  deps: RecordDeps,
  queryActor: QueryActor,
  mentions: readonly Mention[],
): Promise<ReadonlyMap<RecordId, string>> {
  const titles = new Map<RecordId, string>()
  const byCollection = new Map<CollectionId, Set<RecordId>>()
  for (const mention of mentions) {
    if (mention.kind !== 'record') continue
    byCollection.set(mention.collection, (byCollection.get(mention.collection) ?? new Set()).add(mention.id))
  }
  for (const [id, ids] of byCollection) {
    const collection = queryActor.definitions.byId.get(id)
    const decision = decide(queryActor.actor, 'records:read', collection)
    if (!collection || !decision.allowed) continue
    const there = await idsInside(scopeOf(deps, queryActor.definitions), queryActor, { collection, decision }, [...ids])
    const named = await recordTitles(deps, queryActor, collection, [...there])
    for (const record of there) titles.set(record, named.get(record) || record)
  }
  return titles
}
