import { copyFile, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Actor, userIdOf } from '#domain/access/actor.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { Language } from '#domain/languages/language.ts'
import type { AssetId, RecordId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { listRecords } from '#server/records/crud/list-records.ts'
import { updateRecord } from '#server/records/crud/update-record.ts'
import { storeArrivedFile } from '#server/files/uploads/finish-upload.ts'
import { type SampleCollection, samplePath } from './sample-description.ts'
import type { SampleDeps } from './sample-deps.ts'

/** Gives records of the sample their rich texts and pictures, by the same ways by which people do. */
export async function addDocumentsAndPictures(
  needs: SampleDeps,
  actor: Actor,
  described: SampleCollection,
  language: Language,
): Promise<void> {
  const { pictures, documents } = described
  const definitions = await needs.definitions.current()
  const { collection } = getCollection(definitions, actor, 'records:update', described.name)
  const titles = new Set([...pictures, ...documents].map((item) => item.record))
  for (const title of titles) {
    const values: { [field: string]: unknown } = {}
    for (const { field, document } of documents.filter((item) => item.record === title)) {
      values[field] = document[language] ?? document.en
    }
    for (const picture of pictures.filter((item) => item.record === title)) {
      const earlier = values[picture.field]
      const id = await storePicture(needs, actor, collection, picture)
      values[picture.field] = Array.isArray(earlier) ? [...earlier, id] : [id]
    }
    const record = await findRecordByTitle(needs, actor, described, title)
    await updateRecord(needs, actor, { collection: collection.id, record }, { values })
  }
}

async function findRecordByTitle(
  needs: SampleDeps,
  actor: Actor,
  { name, titleField }: SampleCollection,
  title: string,
): Promise<RecordId> {
  const { items } = await listRecords(needs, actor, name, {
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

/** A file of ours goes the way of every file that has arrived: its bytes are looked at, and it stands under its hash. */
async function storePicture(
  needs: SampleDeps,
  actor: Actor,
  collection: Collection,
  { field: fieldName, file, name }: Picture,
): Promise<AssetId> {
  const field = collection.fields.find((each) => each.name === fieldName)
  if (field?.kind !== 'files') throw new Problem('import-failed', `The sample has no files field “${fieldName}”.`)
  const id = needs.newId()
  const staged = needs.staging.pathOf(id)
  await mkdir(dirname(staged), { recursive: true })
  await copyFile(samplePath(file), staged)
  const { size } = await stat(staged)
  const kept = await storeArrivedFile(
    needs,
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
