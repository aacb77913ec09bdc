import type { FileBody } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import { arrivedFile } from '#web/fields/files/use-uploads.ts'
import { refusalOf } from '#web/fields/files/judge-file.ts'
import { shownValue } from '#web/fields/shown-value.ts'
import { countOf } from '#web/fields/format-value.ts'
import { notify } from '#web/kit/toast/notify.ts'
import type { RecordLine } from '../record-line.ts'

type Taking = {
  readonly collection: string
  readonly field: Field<'files'>
  /** The record as it is now. */
  readonly lineNow: () => RecordLine
  readonly keep: (line: RecordLine, files: readonly FileBody[]) => string | undefined
}

/** Sends files that were dropped on a cell, and puts each into it as it arrives. */
export async function takeFiles({ collection, field, lineNow, keep }: Taking, files: readonly File[]): Promise<void> {
  const { record } = lineNow()
  const id = `files-${record.id}-${field.id}`
  const held = shownValue('files', record.values[field.name])
  const room = (field.options.max ?? Number.POSITIVE_INFINITY) - held.length
  const refusals = files.flatMap((file) => refusalOf(file, field.options) ?? [])
  const accepted = files.filter((file) => refusalOf(file, field.options) === undefined).slice(0, Math.max(0, room))
  if (refusals.length > 0) notify.error('Not every file was taken', { id: `${id}-refused`, detail: refusals.join(' ') })
  else if (accepted.length < files.length)
    notify.error('Not every file was taken', {
      id: `${id}-refused`,
      detail: `${field.label} takes ${field.options.max} files.`,
    })
  if (accepted.length === 0) return

  let left = accepted.length
  notify.info(`Uploading ${countOf(left, 'file', 'files')}`, { id, shownMs: 'stay' })
  const { createUploader } = await import('#web/client/uploads.ts')
  const uploader = createUploader({ collection, field: field.name, record: record.id }, (uploaded) => {
    const line = lineNow()
    const refusal = keep(line, [...shownValue('files', line.record.values[field.name]), arrivedFile(uploaded)])
    left -= 1
    if (refusal !== undefined) notify.error(`“${uploaded.file.name}” was not taken`, { id, detail: refusal })
    else if (left === 0) notify.success('Uploaded', { id, shownMs: 3000 })
  })
  uploader.subscribe(() => {
    const failed = uploader.jobs().find(({ state }) => state === 'failed')
    if (failed)
      notify.error(`“${failed.name}” could not be uploaded`, {
        id,
        detail: failed.failure ?? '',
        action: { label: 'Try again', run: () => uploader.retry(failed.id) },
      })
  })
  uploader.add(accepted)
}
