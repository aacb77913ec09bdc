import { Button, Input } from '@mantine/core'
import { useEffect, useId, useRef, useState } from 'react'
import type { FileBody } from '#api/records.ts'
import type { SelectedFile, UploadPlace } from '#web/data/uploads/upload-types.ts'
import { uploads } from '#web/data/uploads/uploads.ts'
import { t } from '#web/i18n/t.ts'
import { inputFrameProps, type InputProps } from '#web/field-kinds/field-kind.ts'
import { usePrinting } from '#web/ui/browser/printing.ts'
import { type Reorder, useReorder } from '#web/shared/reorder/use-reorder.ts'
import { DropZone } from '#web/shared/uploads/drop-zone.tsx'
import { openFilePreview, useVisibleFiles } from '#web/shared/files/visible-files.ts'
import { acceptFiles } from '#web/shared/uploads/accept-files.ts'
import { UploadList } from '#web/shared/uploads/upload-list.tsx'
import { useUploads } from '#web/shared/uploads/upload-status.ts'
import './files.css'
import { useMutation } from '@tanstack/react-query'
import { archiveOfRecord } from '#api/files.ts'
import { call } from '#web/data/api/call.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { IconDownload } from '#web/ui/icons/general.ts'
import { IconX } from '#web/ui/icons/later.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { downloadArchive, downloadUrl } from '#web/shared/files/download-files.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { previewOf } from '#domain/assets/preview.ts'
import { formatBytes } from '#web/ui/text/format-numbers.ts'
import { IconGripVertical } from '#web/ui/icons/frame.ts'
import { FileIcon } from '#web/shared/files/file-icon.tsx'

type FileTileProps = {
  readonly file: FileBody
  readonly reorder: Reorder<FileBody>
  readonly canChange: boolean
  readonly canMove: boolean
  readonly onOpen: () => void
  readonly onRemove: () => void
}

const endingOf = (name: string): string => /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toUpperCase() ?? ''

function FileTile({ file, reorder, canChange, canMove, onOpen, onRemove }: FileTileProps) {
  const { name, bytes, url, thumbUrl } = file
  return (
    <li className="file-tile" {...reorder.itemProps(file)}>
      <button type="button" className="file-face" onClick={onOpen} aria-label={t('Preview {name}', { name })}>
        {thumbUrl === null ? (
          <>
            <FileIcon preview={previewOf(file)} type={file.type} size={28} />
            <span className="file-ending">{endingOf(name)}</span>
          </>
        ) : (
          <img src={thumbUrl} alt="" loading="lazy" decoding="async" />
        )}
      </button>
      <div className="file-words">
        <span className="file-name" title={name}>
          {name}
        </span>
        <span className="file-bytes">{formatBytes(bytes)}</span>
      </div>
      <div className="file-tools">
        <a
          className="file-tool"
          href={downloadUrl(url)}
          download={name}
          aria-label={t('Download {name}', { name })}
          title={t('Download')}
        >
          <IconDownload size={16} stroke={1.5} aria-hidden />
        </a>
        {canChange && (
          <>
            {canMove && (
              <button {...reorder.handleProps(file)}>
                <IconGripVertical size={16} stroke={1.5} aria-hidden />
              </button>
            )}
            <button type="button" className="file-tool" aria-label={t('Remove {name}', { name })} onClick={onRemove}>
              <IconX size={16} stroke={1.5} aria-hidden />
            </button>
          </>
        )}
      </div>
    </li>
  )
}

type LatestProps = { readonly files: readonly FileBody[]; readonly onChange: (files: readonly FileBody[]) => void }

/** Removes a file from a field; undo also works after the field is no longer shown. */
function useRemoveFile(place: UploadPlace, held: LatestProps): (file: FileBody) => void {
  const latest = useRef<LatestProps | undefined>(held)
  useEffect(() => {
    latest.current = held
  })
  useEffect(() => () => void (latest.current = undefined), [])
  return (file) => {
    const at = held.files.findIndex(({ id }) => id === file.id)
    held.onChange(held.files.toSpliced(at, 1))
    const id = `removed-${file.id}`
    const putBack = () => {
      notify.dismiss(id)
      const now = latest.current
      if (!now) return void restoreInto(place, { file, at })
      if (now.files.every((other) => other.id !== file.id)) now.onChange(now.files.toSpliced(at, 0, file))
    }
    notify.info(t('“{name}” removed', { name: file.name }), {
      id,
      action: { label: t('Undo'), run: putBack },
    })
  }
}

type Removed = { readonly file: FileBody; readonly at: number }

/** If the record is no longer open, the file is added back to the stored record. */
async function restoreInto({ record, ...place }: UploadPlace, { file, at }: Removed): Promise<void> {
  if (record === undefined) return
  const { restoreFile } = await import('#web/data/uploads/restore-file.ts')
  await restoreFile({ ...place, record }, { file, at }).then(
    () => notify.success(t('“{name}” restored', { name: file.name })),
    (error: unknown) =>
      void notify.error(t('Couldn’t restore “{name}”', { name: file.name }), {
        detail: describeError(error).detail,
      }),
  )
}

type DownloadAllProps = {
  readonly place: { readonly collection: string; readonly record: string }
  readonly field: string
}

function DownloadAll({ place, field }: DownloadAllProps) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(archiveOfRecord, { params: place, query: { field } }),
    onSuccess: (archive) => downloadArchive(archive),
    onError: (error) =>
      notify.error(t('Couldn’t download the files'), { detail: toCallError(error)?.message ?? error.message }),
  })
  return (
    <Button
      size="xs"
      variant="subtle"
      color="gray"
      className="files-all"
      leftSection={<IconDownload size={14} stroke={1.75} />}
      loading={isPending}
      onClick={() => mutate()}
    >
      {t('Download all')}
    </Button>
  )
}

/** Number of files shown initially; a record can have a thousand files. */
const MAX_TILES = 48

export function FilesInput(props: InputProps<'files'>) {
  const { field, value, place, readOnly = false, onChange, onDone, label } = props
  const id = useId()
  const group = useVisibleFiles(value, label)
  const [refusal, setRefusal] = useState<string>()
  const [chosenTiles, setMaxTiles] = useState(MAX_TILES)
  const maxTiles = usePrinting() ? Infinity : chosenTiles
  const change = (files: readonly FileBody[]) => {
    onChange(files)
    onDone?.()
  }
  const target = { ...place, field: field.name, label }
  const jobs = useUploads(target, { files: value, onChange: change })
  const remove = useRemoveFile(target, { files: value, onChange: change })
  const reorder = useReorder({ items: value, keyOf: (file) => file.id, nameOf: (file) => file.name, onReorder: change })

  const room = (field.options.max ?? Number.POSITIVE_INFINITY) - value.length - jobs.length
  const take = (picked: readonly SelectedFile[]) => {
    const { taken, refusal: said } = acceptFiles(picked, field.options, room)
    setRefusal(said)
    if (taken.length > 0) uploads.add(target, taken)
  }

  return (
    <Input.Wrapper {...inputFrameProps(props)} id={id} labelElement="div" error={refusal ?? props.error}>
      <section
        className="files-input"
        aria-label={label}
        aria-describedby={props.description ? `${id}-description` : undefined}
      >
        {value.length > 0 && (
          <ul className="file-tiles" ref={reorder.listRef}>
            {reorder.order.slice(0, maxTiles).map((file) => (
              <FileTile
                key={file.id}
                file={file}
                reorder={reorder}
                canChange={!readOnly}
                canMove={value.length > 1}
                onOpen={() => openFilePreview(file.id, group)}
                onRemove={() => remove(file)}
              />
            ))}
          </ul>
        )}
        <ShowAllButton {...props} isCut={value.length > maxTiles} onShowAll={() => setMaxTiles(Infinity)} />
        <UploadList jobs={jobs} label={label} />
        {!readOnly && room > 0 && (
          <DropZone label={label} accept={field.options.accept ?? []} isMany={room > 1} onFiles={take} />
        )}
        {readOnly && value.length === 0 && <p className="files-none">{t('No files')}</p>}
        <span role="status" className="visually-hidden">
          {reorder.announcement}
        </span>
      </section>
    </Input.Wrapper>
  )
}

type ShowAllButtonProps = Pick<InputProps<'files'>, 'field' | 'value' | 'place'> & {
  readonly isCut: boolean
  readonly onShowAll: () => void
}

function ShowAllButton({ field, value, place, isCut, onShowAll }: ShowAllButtonProps) {
  const { collection, record } = place
  return (
    <>
      {isCut && (
        <Button size="xs" variant="subtle" color="gray" className="files-all" onClick={onShowAll}>
          {t('Show all {valueCount} files', { valueCount: value.length })}
        </Button>
      )}
      {value.length > 1 && record !== undefined && <DownloadAll place={{ collection, record }} field={field.name} />}
    </>
  )
}
