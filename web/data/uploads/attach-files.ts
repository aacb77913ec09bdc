import { readRecord, type RecordBody, updateRecord } from '#api/records.ts'
import type { RichDocument, RichNode } from '#domain/rich-text/document-schema.ts'
import { fileIdsIn } from '#domain/rich-text/document-references.ts'
import { t } from '#web/i18n/t.ts'
import { call } from '#web/data/api/call.ts'
import { toCallError, CallError } from '#web/data/api/call-error.ts'
import type { UploadedFile, UploadTarget } from './upload-types.ts'

export type Attached = {
  readonly record: RecordBody
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** Maximum number of consecutive version conflicts. */
const MAX_ATTEMPTS = 5

type FieldFiles = { readonly value: unknown; readonly ids: readonly string[] }

type Joined = (value: unknown, missing: readonly string[]) => FieldFiles

/**
 * Appends files to a field of a record, even if other values change concurrently. Idempotent, so that it can be retried
 * after a lost response. `at` is the position of the first file; defaults to the end.
 */
export const attachFiles = (target: Required<UploadTarget>, ids: readonly string[], at?: number): Promise<Attached> =>
  join(target, ids, (value, missing) => {
    const before = idsIn(value)
    const after = before.toSpliced(at ?? before.length, 0, ...missing)
    return { value: after, ids: after }
  })

/** Appends files to a document: images inline, all others as file cards. */
export const writeIntoDocument = (
  target: Required<UploadTarget>,
  files: readonly Pick<UploadedFile, 'id' | 'type' | 'name'>[],
): Promise<Attached> =>
  join(
    target,
    files.map(({ id }) => id),
    (value, missing) => {
      const blocks = files.filter(({ id }) => missing.includes(id)).map(blockOfFile)
      const document: RichNode = {
        type: 'doc',
        content: [...(isDocument(value) ? (value.content ?? []) : []), ...blocks],
      }
      return { value: document, ids: fileIdsIn(document) }
    },
  )

export const blockOfFile = ({ id, type }: Pick<UploadedFile, 'id' | 'type'>): RichNode => ({
  type: isPicture(type) ? 'image' : 'file',
  attrs: { file: id },
})

const isPicture = (type: string): boolean => /^image\/(?:png|jpeg|gif|webp|avif|svg\+xml)$/.test(type)

const isDocument = (value: unknown): value is RichDocument =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'doc'

function idsIn(value: unknown): readonly string[] {
  // The field can't be read, so appending files would overwrite its value.
  if (value === undefined) throw new CallError('forbidden', t('You don’t have access to this field in this record.'))
  if (isDocument(value)) return fileIdsIn(value)
  return Array.isArray(value) ? value.map(String) : []
}

async function join({ collection, field, record: id }: Required<UploadTarget>, ids: readonly string[], joined: Joined) {
  const params = { collection, record: id }
  for (let rounds = 1; ; rounds += 1) {
    const record = await call(readRecord, { params, query: {} })
    const before = idsIn(record.values[field])
    const missing = ids.filter((each) => !before.includes(each))
    if (missing.length === 0) return { record, before, after: before }
    const after = joined(record.values[field], missing)
    const written = await call(updateRecord, {
      params,
      body: { values: { [field]: after.value }, version: record.version },
    }).then(
      (stored) => ({ stored }),
      (error: unknown) => ({ error }),
    )
    if ('stored' in written) return { record: written.stored, before, after: after.ids }
    if (toCallError(written.error)?.code !== 'version-conflict' || rounds === MAX_ATTEMPTS) throw written.error
  }
}
