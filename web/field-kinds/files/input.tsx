import { Button, Input } from '@mantine/core'
import { useId, useState } from 'react'
import type { FileBody } from '#api/records.ts'
import type { SelectedFile } from '#web/data/uploads/upload-types.ts'
import { uploads } from '#web/data/uploads/uploads.ts'
import { t } from '#web/i18n/t.ts'
import { inputFrameProps } from '#web/field-kinds/input-frame.ts'
import type { InputProps } from '#web/field-kinds/kind-props.ts'
import { useReorder } from '#web/shared/reorder/use-reorder.ts'
import { DownloadAll } from './download-all.tsx'
import { DropZone } from '#web/shared/uploads/drop-zone.tsx'
import { FileTile } from './file-tile.tsx'
import { openFilePreview, useVisibleFiles } from '#web/shared/files/visible-files.ts'
import { acceptFiles } from '#web/shared/uploads/accept-files.ts'
import { UploadList } from '#web/shared/uploads/upload-list.tsx'
import { useRemoveFile } from './use-remove-file.ts'
import { useUploads } from '#web/shared/uploads/use-uploads.ts'
import './files.css'

/** So many files are seen at first; a record may hold a thousand. */
const MAX_TILES = 48

/** The files of a record: drop, paste or choose; watch them arrive; put them in order; look at them. */
export function FilesInput(props: InputProps<'files'>) {
  const { field, value, place, readOnly = false, onChange, onDone, label } = props
  const id = useId()
  const group = useVisibleFiles(value, label)
  const [refusal, setRefusal] = useState<string>()
  const [mostTiles, setMostTiles] = useState(MAX_TILES)
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
      <section className="files-input" aria-label={label}>
        {value.length > 0 && (
          <ul className="file-tiles" ref={reorder.listRef}>
            {reorder.order.slice(0, mostTiles).map((file) => (
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
        <ShowAllButton {...props} isCut={value.length > mostTiles} onShowAll={() => setMostTiles(Infinity)} />
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

/** What is done with all files of a field: see those that are not shown yet, and fetch them as one archive. */
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
