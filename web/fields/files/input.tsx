import { Input } from '@mantine/core'
import { useId, useState } from 'react'
import type { FileBody } from '#api/records.ts'
import { ImageViewer } from '#web/kit/image-viewer/image-viewer.tsx'
import type { ViewerImage } from '#web/kit/image-viewer/viewer-image.ts'
import { framePropsOf } from '../frame-props.ts'
import type { InputProps } from '../part-props.ts'
import { useReorder } from '../reorder/use-reorder.ts'
import { DropZone } from './drop-zone.tsx'
import { FileTile, isPicture } from './file-tile.tsx'
import { refusalOf } from './judge-file.ts'
import { UploadList } from './upload-list.tsx'
import { useUploads } from './use-uploads.ts'
import './files.css'

/** The files of a record: drop, paste or choose; watch them arrive; put them in order; look at the pictures. */
export function FilesInput(props: InputProps<'files'>) {
  const { field, value, place, readOnly = false, onChange, onDone } = props
  const id = useId()
  const [shownId, setShownId] = useState<string>()
  const [refusals, setRefusals] = useState<readonly string[]>([])
  const change = (files: readonly FileBody[]) => {
    onChange(files)
    onDone?.()
  }
  const { jobs, send, uploader } = useUploads({ ...place, field: field.name }, { files: value, onChange: change })
  const reorder = useReorder({ items: value, keyOf: (file) => file.id, nameOf: (file) => file.name, onReorder: change })

  const room = (field.options.max ?? Number.POSITIVE_INFINITY) - value.length - jobs.length
  const take = (files: readonly File[]) => {
    const refused = files.flatMap((file) => refusalOf(file, field.options) ?? [])
    const accepted = files.filter((file) => refusalOf(file, field.options) === undefined)
    const tooMany = accepted.length > room ? [`This field takes ${field.options.max} files. Remove one first.`] : []
    setRefusals([...refused, ...tooMany])
    if (accepted.length > 0 && room > 0) send(accepted.slice(0, room))
  }

  return (
    <Input.Wrapper
      {...framePropsOf(props)}
      id={id}
      labelElement="div"
      error={refusals.length > 0 ? refusals.join(' ') : props.error}
    >
      <section className="files-input" aria-label={props.label}>
        {value.length > 0 && (
          <ul className="file-tiles" ref={reorder.listRef}>
            {reorder.order.map((file) => (
              <FileTile
                key={file.id}
                file={file}
                reorder={reorder}
                canChange={!readOnly}
                canMove={value.length > 1}
                onOpen={() => setShownId(file.id)}
                onRemove={() => change(value.filter((other) => other.id !== file.id))}
              />
            ))}
          </ul>
        )}
        <UploadList jobs={jobs} uploader={uploader} />
        {!readOnly && room > 0 && (
          <DropZone label={props.label} accept={field.options.accept ?? []} isMany={room > 1} onFiles={take} />
        )}
        {readOnly && value.length === 0 && <p className="files-none">No files</p>}
        <span role="status" className="visually-hidden">
          {reorder.announcement}
        </span>
      </section>
      <Pictures files={value} shownId={shownId} onShow={setShownId} />
    </Input.Wrapper>
  )
}

type PicturesProps = {
  readonly files: readonly FileBody[]
  readonly shownId: string | undefined
  readonly onShow: (id: string | undefined) => void
}

/** The viewer over the pictures among the files. */
function Pictures({ files, shownId, onShow }: PicturesProps) {
  const pictures = files.filter(isPicture)
  const index = pictures.findIndex((file) => file.id === shownId)
  return (
    <ImageViewer
      images={pictures.map(viewerImageOf)}
      index={index < 0 ? null : index}
      onClose={() => onShow(undefined)}
      onIndexChange={(next) => onShow(pictures[next]?.id)}
    />
  )
}

const viewerImageOf = ({ id, url, thumbUrl, name }: FileBody): ViewerImage => ({
  id,
  src: url,
  title: name,
  ...(thumbUrl !== null && { thumbnailSrc: thumbUrl }),
})
