import { type DragEvent, type RefObject, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import type { RecordBody } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import type { SelectedFile } from '#web/data/uploads/upload-types.ts'
import { carriesFiles, filesOfDrop } from '#web/shared/uploads/selected-files.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { IconUpload } from '#web/ui/icons/later.ts'
import { Say } from '#web/i18n/say.tsx'
import { fileFieldsOf } from '#web/shared/fields/editable-cells.ts'
import { sendToField } from '#web/shared/uploads/send-dropped-files.ts'
import './record-drop-target.css'

type RecordDropTargetProps = {
  readonly collection: TypedCollection
  readonly record: RecordBody
  readonly placeRef: RefObject<HTMLElement | null>
  readonly canWrite: boolean
}

/** Accepts files dropped or pasted anywhere on an open record, and shows which field they will be added to. */
export function RecordDropTarget({ collection, record, placeRef, canWrite }: RecordDropTargetProps) {
  const fields = canWrite ? fileFieldsOf(collection, record) : []
  const isDragging = useFileDrag(fields.length > 0)
  const give: SendFiles = (field, picked) =>
    void picked.then((files) => sendToField(collection, record, { field, files }))
  usePaste(placeRef, fields, give)
  if (!isDragging || !placeRef.current) return null
  return createPortal(
    <DropTargets
      fields={fields}
      room={roomOf(placeRef.current)}
      onDrop={(field, event) => give(field, filesOfDrop(event.dataTransfer))}
    />,
    document.body,
  )
}

/** Rich text editors handle drops themselves. */
const isOverText = (xPx: number, yPx: number): boolean =>
  document.elementsFromPoint(xPx, yPx).some((element) => element.closest('[contenteditable="true"]') !== null)

type Targets = {
  readonly fields: readonly Field<'files'>[]
  readonly room: DOMRect
  readonly onDrop: (field: Field<'files'>, event: DragEvent) => void
}

function DropTargets({ fields, room, onDrop }: Targets) {
  const [over, setOver] = useState<string>()
  const { left, top, width, height } = room
  return (
    <div className="record-drops" style={{ left, top, width, height }} data-testid="record-drops">
      {fields.map((field) => (
        <div
          key={field.id}
          className="record-drop"
          data-over={over === field.id || undefined}
          onDragOver={(event) => {
            event.preventDefault()
            event.dataTransfer.dropEffect = 'copy'
            setOver(field.id)
          }}
          onDragLeave={() => setOver(undefined)}
          onDrop={(event) => {
            event.preventDefault()
            onDrop(field, event)
          }}
        >
          <IconUpload size={22} stroke={1.5} aria-hidden />
          <span>
            <Say text="Drop to add to {label}" values={{ label: <strong>{field.label}</strong> }} />
          </span>
        </div>
      ))}
    </div>
  )
}

/** The visible part of an element. */
function roomOf(place: HTMLElement): DOMRect {
  const scroller = place.closest('.record-panel-scroll, .shell-main') ?? document.documentElement
  const [own, around] = [place.getBoundingClientRect(), scroller.getBoundingClientRect()]
  const [left, top] = [Math.max(own.left, around.left, 0), Math.max(own.top, around.top, 0)]
  const right = Math.min(own.right, around.right, window.innerWidth)
  const bottom = Math.min(Math.max(own.bottom, around.bottom), around.bottom, window.innerHeight)
  return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top))
}

function useFileDrag(isRequested: boolean): boolean {
  const [isThere, setThere] = useState(false)
  useEffect(() => {
    if (!isRequested) return undefined
    const begin = (event: globalThis.DragEvent) => {
      if (carriesFiles(event.dataTransfer)) setThere(!isOverText(event.clientX, event.clientY))
    }
    const end = (event: globalThis.DragEvent) => {
      // Ignores dragleave events unless the pointer has left the page.
      if (event.type === 'dragleave' && event.relatedTarget !== null) return
      setThere(false)
    }
    window.addEventListener('dragenter', begin)
    window.addEventListener('dragover', begin)
    window.addEventListener('dragleave', end)
    window.addEventListener('drop', end)
    window.addEventListener('dragend', end)
    return () => {
      window.removeEventListener('dragenter', begin)
      window.removeEventListener('dragover', begin)
      window.removeEventListener('dragleave', end)
      window.removeEventListener('drop', end)
      window.removeEventListener('dragend', end)
    }
  }, [isRequested])
  return isRequested && isThere
}

type SendFiles = (field: Field<'files'>, picked: Promise<readonly SelectedFile[]>) => void

/** Pasted files are added to the first files field, because a paste has no position. */
function usePaste(placeRef: RefObject<HTMLElement | null>, [first]: readonly Field<'files'>[], give: SendFiles): void {
  useEffect(() => {
    const place = placeRef.current
    if (!place || !first) return undefined
    const paste = (event: globalThis.ClipboardEvent) => {
      const { clipboardData: data, target } = event
      if (target !== document.body && !(target instanceof Node && place.contains(target))) return
      // Copied spreadsheet cells contain an image of themselves, which isn't a file to add.
      if (event.defaultPrevented || !data || data.files.length === 0 || data.types.includes('text/plain')) return
      event.preventDefault()
      give(first, filesOfDrop(data))
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  })
}
