import type { Readable } from 'node:stream'
import { MAX_ZIPPED } from '#api/files.ts'
import type { RecordBody } from '#api/records.ts'
import type { Actor } from '#domain/access/actor.ts'
import { type AllowedDecision, intersectDecisions } from '#domain/access/decide.ts'
import { isImpersonated } from '#domain/access/impersonation.ts'
import { createUniqueNames, safeArchiveName } from '#domain/assets/zip-names.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { Field, FieldValue } from '#domain/fields/field.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import type { HiddenFields } from '#domain/records/check-values.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { type FileField, fileIdsOf, takesFiles } from '#domain/fields/files.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { chunkIds } from '#server/platform/database/rows/id-lists.ts'
import { listWithin } from '#server/records/crud/list-records.ts'
import { readRecord } from '#server/records/crud/read-record.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { recordTitles } from '#server/records/show/visible-titles.ts'
import { namesIn } from '#server/records/show/show-records.ts'
import { currentActor, type CurrentActorDeps } from '#server/identity/users/current-actor.ts'
import { type AssetDeps, getFile } from '#server/files/assets/find-file.ts'
import { filesToZip } from '#server/files/assets/store.ts'
import type { ZipEntry } from './zip-archive.ts'

export type ZipDeps = RecordDeps & AssetDeps & CurrentActorDeps

export type Zip = { readonly name: string; readonly collection: Collection; readonly entries: readonly ZipEntry[] }

/** Selects the records as in a list query. */
export type ZipQuery = {
  readonly filter?: string | undefined
  readonly sort?: string | undefined
  readonly search?: string | undefined
  readonly field?: string | undefined
  readonly only?: readonly RecordId[] | undefined
  readonly except?: readonly RecordId[] | undefined
}

const RECORDS_PER_PAGE = 500

/** The files of one record, without folders. */
export async function collectRecordZip(
  deps: ZipDeps,
  actor: Actor,
  place: { readonly collection: string; readonly record: string },
  field: string | undefined,
): Promise<Zip> {
  const definitions = await deps.definitions.current()
  const { collection, decision } = getCollection(definitions, actor, 'records:read', place.collection)
  const fields = filesFields(collection, decision.hiddenFields, field)
  const record = await readRecord(deps, actor, place, { choices: 'name', richText: 'document' })
  const titles = await recordTitles(deps, { actor, definitions }, collection, [record.id])
  const entries = await entriesOf(deps, actor, [{ folder: '', ids: idsIn(record, fields) }])
  return { name: safeArchiveName(titles.get(record.id) ?? '', collection.name), collection, entries }
}

/** The files of the matching records, one folder per record. */
export async function collectRecordsZip(deps: ZipDeps, actor: Actor, nameOrId: string, query: ZipQuery): Promise<Zip> {
  const definitions = await deps.definitions.current()
  const { collection, decision: exporting } = getCollection(definitions, actor, 'records:export', nameOrId)
  const { decision: reading } = getCollection(definitions, actor, 'records:read', nameOrId)
  const within = intersectDecisions(reading, exporting)
  const fields = filesFields(collection, within.hiddenFields, query.field)
  const folderOnce = createUniqueNames()
  const wanted: FolderFiles[] = []
  let count = 0
  const lister = { actor, within: whereFilesExist(within, fields), only: query.only }
  for await (const records of pagesOf(deps, lister, { collection, fields, query })) {
    const ids = records.map(({ id }) => id)
    const titles = await recordTitles(deps, { actor, definitions }, collection, ids)
    for (const record of records) {
      const files = idsIn(record, fields)
      if (files.length === 0) continue
      wanted.push({ folder: `${folderOnce(safeArchiveName(titles.get(record.id) ?? '', record.id))}/`, ids: files })
      count += files.length
    }
    assertFileCount(count)
  }
  return {
    name: safeArchiveName(collection.label, collection.name),
    collection,
    entries: await entriesOf(deps, actor, wanted),
  }
}

function filesFields(collection: Collection, hidden: HiddenFields, named: string | undefined): FileField[] {
  const names = namesIn('field', named, collection, hidden)
  const isWanted = (field: Field): field is FileField =>
    takesFiles(field) && !hidden.has(field.id) && (names === undefined || names.has(field.name))
  const fields = collection.fields.filter(isWanted)
  if (fields.length === 0) throw new Problem('not-found', `${collection.label} has no matching files field.`)
  return fields
}

/** Skips records without files. */
function whereFilesExist(decision: AllowedDecision, fields: readonly FileField[]): AllowedDecision {
  const some: Filter = { any: fields.map(({ id }) => ({ field: id, op: 'is not empty' })) }
  return intersectDecisions(decision, { allowed: true, hiddenFields: new Set(), where: some })
}

type Lister = { readonly actor: Actor; readonly within: AllowedDecision; readonly only: ZipQuery['only'] }
type Listed = { readonly collection: Collection; readonly fields: readonly FileField[]; readonly query: ZipQuery }

async function* pagesOf(deps: ZipDeps, lister: Lister, listed: Listed): AsyncGenerator<RecordBody[]> {
  const { filter, sort, search, except = [] } = listed.query
  const left = new Set(except)
  const fields = listed.fields.map(({ name }) => name).join(',')
  let cursor: string | undefined
  do {
    const page = await listWithin(deps, lister, listed.collection.id, {
      filter,
      sort,
      search,
      cursor,
      fields,
      perPage: RECORDS_PER_PAGE,
      count: 'none',
      choices: 'name',
      richText: 'document',
    })
    yield page.items.filter(({ id }) => !left.has(id))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
}

const idsIn = ({ values }: RecordBody, fields: readonly FileField[]): string[] =>
  // Without `expand`, values are returned as stored.
  fields.flatMap(({ name }) => fileIdsOf(values[name] as FieldValue | undefined))

type FolderFiles = { readonly folder: string; readonly ids: readonly string[] }

async function entriesOf(deps: ZipDeps, actor: Actor, wanted: readonly FolderFiles[]): Promise<ZipEntry[]> {
  const parts = chunkIds(wanted.flatMap(({ ids }) => ids))
  const found = await Promise.all(parts.map((ids) => filesToZip(deps.database.read, ids)))
  const files = new Map(found.flatMap((some) => [...some]))
  const entries = wanted.flatMap(({ folder, ids }) => {
    const once = createUniqueNames()
    return ids.flatMap((id): ZipEntry[] => {
      const file = files.get(id)
      if (file === undefined) return []
      const path = folder + once(safeArchiveName(file.name, 'file'))
      return [{ path, bytes: file.bytes, at: file.at, open: () => openFile(deps, actor, id) }]
    })
  })
  if (entries.length === 0) throw new Problem('not-found', 'The selection contains no files.')
  assertFileCount(entries.length)
  assertZipSize(entries)
  return entries
}

/** Checks the permission again: if it was revoked during the download, the archive is aborted. */
async function openFile(deps: ZipDeps, actor: Actor, id: string): Promise<Readable> {
  const now = isImpersonated(actor) ? actor : await currentActor(deps, actor)
  if (now === undefined) throw new Problem('forbidden', 'You no longer have access to these files.')
  const { hash } = await getFile(deps, now, id)
  const blob = await deps.blobs.open(hash)
  if (blob === undefined) throw new Error(`File ${id} is missing from storage.`)
  return blob.read()
}

function assertFileCount(count: number): void {
  if (count <= MAX_ZIPPED.files) return
  throw new Problem(
    'too-large',
    `An archive can contain at most ${MAX_ZIPPED.files.toLocaleString('en')} files. Select fewer records.`,
  )
}

function assertZipSize(entries: readonly ZipEntry[]): void {
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0)
  if (bytes <= MAX_ZIPPED.bytes) return
  throw new Problem(
    'too-large',
    `These files total ${Math.ceil(bytes / 1_000_000_000)} GB; an archive can be at most ${MAX_ZIPPED.bytes / 1_000_000_000} GB. Select fewer records.`,
  )
}
