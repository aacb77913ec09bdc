import type { SampleBody } from '#api/imports.ts'
import { type Actor, userIdOf } from '#domain/access/actor.ts'
import type { Language } from '#domain/shared/language.ts'
import { Problem } from '#domain/shared/problem.ts'
import { commitChange } from '#server/records/changes/commit-change.ts'
import { makeCollection } from '#server/schema/collections/create-collection.ts'
import { definitionChange } from '#server/schema/collections/log-definition.ts'
import { readImport } from '#server/transfer/imports/show-import.ts'
import { startImport } from '#server/transfer/imports/start-import.ts'
import type { StoredImport } from '#server/transfer/imports/stored-import.ts'
import { receiveCsv } from '#server/transfer/imports/receive-csv.ts'
import {
  loadSampleTranslations,
  readSampleDescription,
  type SampleCollection,
  samplePath,
  translateDescription,
  translateRecords,
} from './sample-translations.ts'
import { type SampleDeps, type StoredSample, findSample, saveSample } from './store.ts'
import { copyFile, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Collection } from '#domain/collections/collection.ts'
import type { AssetId, RecordId } from '#domain/shared/ids.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { listRecords } from '#server/records/crud/list-records.ts'
import { updateRecord } from '#server/records/crud/write-record.ts'
import { storeArrivedFile } from '#server/files/uploads/finish-upload.ts'
import { removeCollection } from '#server/schema/collections/change-collection.ts'
import { cancelImport } from '#server/transfer/imports/cancel-import.ts'

/** Adds rich text and images through the same functions as user input. */
async function addDocumentsAndPictures(
  deps: SampleDeps,
  actor: Actor,
  described: SampleCollection,
  language: Language,
): Promise<void> {
  const { pictures, documents } = described
  const definitions = await deps.definitions.current()
  const { collection } = getCollection(definitions, actor, 'records:update', described.name)
  const titles = new Set([...pictures, ...documents].map((item) => item.record))
  for (const title of titles) {
    const values: { [field: string]: unknown } = {}
    for (const { field, document } of documents.filter((item) => item.record === title)) {
      values[field] = document[language] ?? document.en
    }
    for (const picture of pictures.filter((item) => item.record === title)) {
      const earlier = values[picture.field]
      const id = await storePicture(deps, actor, collection, picture)
      values[picture.field] = Array.isArray(earlier) ? [...earlier, id] : [id]
    }
    const record = await findRecordByTitle(deps, actor, described, title)
    await updateRecord(deps, actor, { collection: collection.id, record }, { values })
  }
}

async function findRecordByTitle(
  deps: SampleDeps,
  actor: Actor,
  { name, titleField }: SampleCollection,
  title: string,
): Promise<RecordId> {
  const { items } = await listRecords(deps, actor, name, {
    filter: `${titleField} = ${JSON.stringify(title)}`,
    perPage: 1,
    fields: titleField,
    count: 'none',
    choices: 'name',
    richText: 'document',
  })
  const [record] = items
  if (!record) throw new Problem('import-failed', `The sample has no record “${title}” in ${name}.`)
  return record.id
}

type Picture = SampleCollection['pictures'][number]

/** Stores a sample image like an uploaded file. */
async function storePicture(
  deps: SampleDeps,
  actor: Actor,
  collection: Collection,
  { field: fieldName, file, name }: Picture,
): Promise<AssetId> {
  const field = collection.fields.find((each) => each.name === fieldName)
  if (field?.kind !== 'files') throw new Problem('import-failed', `The sample has no files field “${fieldName}”.`)
  const id = deps.newId()
  const staged = deps.staging.pathOf(id)
  await mkdir(dirname(staged), { recursive: true })
  await copyFile(samplePath(file), staged)
  const { size } = await stat(staged)
  const kept = await storeArrivedFile(
    deps,
    {
      id,
      userId: userIdOf(actor),
      target: { collection: collection.id, field: field.id, record: null },
      file: { name, type: '', bytes: size },
    },
    field,
  )
  if (!kept.ok) throw new Problem('import-failed', kept.fault.message)
  return id
}

/** If loading is stopped, the next start removes the unfinished sample. */
export type SampleRun = {
  readonly begin: (actor: Actor, language: Language) => Promise<SampleBody>
  readonly stop: () => Promise<void>
}

/** Loads one sample at a time, in the background. */
export function createSampleRun(deps: SampleDeps): SampleRun {
  let over: Promise<void> = Promise.resolve()
  let isStopping = false
  return {
    begin: async (actor, language) => {
      await claim(deps)
      over = build({ deps, actor, language, isStopping: () => isStopping }).then(undefined, (error: unknown) => {
        deps.log.error({ err: error }, 'stopping the sample import failed')
      })
      return readSample(deps)
    },
    stop: () => {
      isStopping = true
      return over
    },
  }
}

/** Fails if data exists or another process is already loading the sample. */
async function claim(deps: SampleDeps): Promise<void> {
  await deps.database.write(async (transaction) => {
    const sample = await findSample(transaction.db)
    const { list } = await deps.definitions.within(transaction)
    if (sample?.state === 'running')
      throw new Problem('sample-not-empty', 'The sample workspace is already being created.')
    if (list.length > 0) {
      throw new Problem(
        'sample-not-empty',
        'Sample data can only be loaded into an empty workspace. This workspace already has collections.',
      )
    }
    await saveSample(transaction, {
      state: 'running',
      runner: deps.self,
      startedAt: deps.clock().toISOString(),
      collections: [],
      imports: [],
      recordsInAll: 0,
      failure: null,
    })
  })
}

type Build = {
  readonly deps: SampleDeps
  readonly actor: Actor
  readonly language: Language
  readonly isStopping: () => boolean
}

async function build(building: Build): Promise<void> {
  const { deps, isStopping } = building
  const failure = await buildAll(building).then(
    () => null,
    (error: unknown) => {
      if (error instanceof Problem) return error
      deps.log.error({ err: error }, 'sample import failed')
      return {
        message:
          'The server couldn’t load the sample data. Try again. If it happens again, contact your administrator.',
      }
    },
  )
  // If the server stopped while loading, the next start removes the unfinished sample.
  if (isStopping()) return
  if (failure === null) await change(deps, { state: 'done' })
  else await removeSample(deps, failure)
}

async function buildAll({ deps, actor, language, isStopping }: Build): Promise<void> {
  const inWords = await loadSampleTranslations(language)
  const written = await readSampleDescription()
  const files: StoredImport[] = []
  for (const described of written) {
    const body = translateRecords(described, inWords)
    files.push(await receiveCsv(deps, actor, { fileName: described.file, body }))
  }
  const collections = written.map((described) => translateDescription(described, inWords))
  const recordsInAll = files.reduce((sum, { look }) => sum + (look?.preview.rowsLookedAt ?? 0), 0)
  await change(deps, { imports: files.map((item) => item.id), recordsInAll })

  for (const [at, described] of collections.entries()) {
    const item = files[at]
    if (isStopping() || !item) return
    await createDescribed(deps, actor, described)
    await importFile(deps, actor, described, item)
  }
  for (const described of collections) {
    if (isStopping()) return
    await addDocumentsAndPictures(deps, actor, described, language)
  }
}

/** Creates the collection and records it as sample data in one write. */
async function createDescribed(deps: SampleDeps, actor: Actor, described: SampleCollection): Promise<void> {
  const { name, label, titleField, icon, color, group } = described
  const fields = described.fields.map(({ field }) => field)
  await commitChange(deps, actor, async (writing) => {
    const collection = await makeCollection(writing, { name, label, icon, color, group, fields, titleField })
    await changeWithin(writing.transaction, (sample) => ({ collections: [...sample.collections, collection.id] }))
    return { answer: undefined, ...definitionChange(null, collection) }
  })
}

async function importFile(
  deps: SampleDeps,
  actor: Actor,
  described: SampleCollection,
  item: StoredImport,
): Promise<void> {
  const headers = item.look?.preview.columns.map((column) => column.header) ?? []
  const columns = headers.map((header) => {
    const name = described.fields.find((each) => each.column === header)?.field.name
    return name === undefined ? { skip: true as const } : { field: name }
  })
  await startImport(deps, actor, item.id, { into: { collection: described.name }, columns, onBadRow: 'stop' })
  await deps.runs.get(item.id)?.over
  const { state, failure } = await readImport(deps, actor, item.id)
  if (state !== 'done') {
    throw new Problem(
      'import-failed',
      failure === null
        ? `The import of ${described.label} was stopped.`
        : `${described.label} couldn’t be imported. ${failure}`,
    )
  }
}

type Transaction = Parameters<typeof saveSample>[0]

const change = (deps: SampleDeps, part: Partial<StoredSample>): Promise<void> =>
  deps.database.write((transaction) => changeWithin(transaction, () => part))

async function changeWithin(
  transaction: Transaction,
  part: (sample: StoredSample) => Partial<StoredSample>,
): Promise<void> {
  const sample = await findSample(transaction.db)
  if (sample?.state !== 'running')
    throw new Problem('import-failed', 'The creation of the sample workspace was stopped by another process.')
  await saveSample(transaction, { ...sample, ...part(sample) })
}

const REMOVER: Actor = { type: 'system', reason: 'sample import was not finished' }

/** Removes an unfinished sample. Can be rerun from the start. */
export async function removeSample(deps: SampleDeps, { message }: { readonly message: string }): Promise<void> {
  const sample = await findSample(deps.database.read)
  if (sample?.state !== 'running') return
  for (const id of sample.imports) await endImport(deps, id)
  // Collections that link to others are created after their targets, so they are deleted first.
  for (const id of sample.collections.toReversed()) {
    const { byId } = await deps.definitions.current()
    if (byId.has(id)) await removeCollection(deps, REMOVER, id)
  }
  await deps.database.write((transaction) => saveSample(transaction, { ...sample, state: 'failed', failure: message }))
}

async function endImport(deps: SampleDeps, id: string): Promise<void> {
  const { state } = await readImport(deps, REMOVER, id)
  if (state === 'ready' || state === 'failed') await cancelImport(deps, REMOVER, id)
  await deps.runs.get(id)?.over
}

export async function readSample(deps: SampleDeps): Promise<SampleBody> {
  const sample = await findSample(deps.database.read)
  if (!sample) return { state: 'none', recordsStored: 0, recordsInAll: 0, failure: null }
  const { state, recordsInAll, failure } = sample
  if (state !== 'running') return { state, recordsStored: state === 'done' ? recordsInAll : 0, recordsInAll, failure }

  const reader = { type: 'system', reason: 'sample progress' } as const
  const imports = await Promise.all(sample.imports.map((id) => readImport(deps, reader, id)))
  const recordsStored = imports.reduce((sum, { progress }) => sum + progress.rowsStored, 0)
  return { state, recordsStored, recordsInAll, failure }
}
