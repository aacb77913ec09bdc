import type { DocumentReferencesBody } from '#api/records.ts'
import type { RichDocument } from '#domain/rich-text/document-schema.ts'
import { fileIdsIn, type Mention, mentionsIn } from '#domain/rich-text/document-references.ts'
import type { AssetId, CollectionId, RecordId } from '#domain/shared/ids.ts'
import { filesById, peopleById } from './linked-names.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import type { QueryActor } from '#server/access/record-access/authorized-query.ts'
import { type LinkedRecords, visibleTitles } from './visible-titles.ts'

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
  const wanted = new Map<CollectionId, LinkedRecords>()
  const ofRecords = mentions.filter((mention) => mention.kind === 'record')
  for (const [collection, some] of Map.groupBy(ofRecords, (mention) => mention.collection))
    wanted.set(collection, { ids: new Set(some.map(({ id }) => id)), isTitled: true })
  const titles = [...(await visibleTitles(deps, queryActor, wanted)).values()]
  return new Map(titles.flatMap((some) => [...some].map(([id, title]) => [id, title || id] as const)))
}
