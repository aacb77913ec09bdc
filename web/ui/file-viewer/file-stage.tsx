import { type ComponentType, type RefObject, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { type ImageControls, ImageStage } from '#web/ui/image-viewer/image-stage.tsx'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import { ProgressLine } from '#web/ui/feedback/load-states.tsx'
import {
  FileCard,
  type FileReader,
  type TextPart,
  type ViewedAs,
  type ViewedFile,
  type ViewError,
} from './viewed-file.tsx'

type TextStageProps = {
  readonly label: string
  /** Must be stable, because a new function reloads the file. */
  readonly read: (signal: AbortSignal) => Promise<TextPart | ViewError>
  readonly onThere: () => void
  readonly onFault: (fault: ViewError) => void
}

const TEXTS = UI_TEXTS.fileViewer

/** Shows the start of a text file as plain text, so that the browser never renders it as a page. */
function TextStage({ label, read, onThere, onFault }: TextStageProps) {
  const [part, setPart] = useState<TextPart>()
  const take = useEffectEvent((answer: TextPart | ViewError) => {
    if (typeof answer === 'string') return onFault(answer)
    setPart(answer)
    onThere()
  })
  useEffect(() => {
    const leaving = new AbortController()
    void read(leaving.signal).then((answer) => {
      if (!leaving.signal.aborted) take(answer)
    })
    return () => leaving.abort()
  }, [read])
  if (!part) return null
  const { text, isCut, encoding } = part
  const notes = [isCut ? TEXTS.cut : '', encoding === undefined ? '' : TEXTS.readAs(encoding)].filter(Boolean)
  return (
    <div className="file-viewer-paper">
      {/* Focusable, so that it can be scrolled with the keyboard. */}
      <section className="file-viewer-text" data-focus-inside tabIndex={0} aria-label={label}>
        {text === '' ? <p>{TEXTS.empty}</p> : <pre dir="auto">{text}</pre>}
      </section>
      {notes.length > 0 && <p className="file-viewer-paper-note">{notes.join(' ')}</p>}
    </div>
  )
}

export type StageProps = {
  readonly file: ViewedFile
  readonly reader: FileReader
  readonly gridActionsRef: RefObject<ImageControls | null>
  readonly onThere: () => void
  readonly onRatio: (ratio: number) => void
  readonly onSwipe: (to: 'left' | 'right') => void
}

type ShowProps = StageProps & {
  readonly onFault: (fault?: ViewError) => void
}

/** Displays a file with built-in browser features. Mount a new instance for each file. */
export function FileStage(props: StageProps) {
  const { file, reader } = props
  const [fault, setFault] = useState<ViewError>()
  const [isThere, setThere] = useState(false)
  const leaving = useRef(new AbortController())
  useEffect(() => {
    const ended = new AbortController()
    leaving.current = ended
    return () => ended.abort()
  }, [])
  const find = (known?: ViewError) => {
    if (known !== undefined) return setFault(known)
    const { signal } = leaving.current
    void reader.findFault(file, signal).then((found) => {
      if (!signal.aborted) setFault(found ?? 'damaged')
    })
  }
  if (fault !== undefined)
    return <Faulty file={file} fault={fault} onAgain={() => (reader.renew(), setFault(undefined))} />

  const Show = SHOWN_BY[file.as]
  const there = () => {
    setThere(true)
    props.onThere()
  }
  return (
    <>
      <Show {...props} onThere={there} onFault={find} />
      {!isThere && file.as !== 'none' && (
        <div className="file-viewer-waiting">
          <ProgressLine label={UI_TEXTS.fileViewer.loading(file.name)} />
        </div>
      )}
    </>
  )
}

const Faulty = ({ file, fault, onAgain }: { file: ViewedFile; fault: ViewError; onAgain: () => void }) => (
  <FileCard
    file={file}
    {...UI_TEXTS.fileViewer.faults[fault]}
    canDownload={fault === 'damaged'}
    onAgain={fault === 'lapsed' || fault === 'unreachable' ? onAgain : undefined}
  />
)

const Picture = ({ file, gridActionsRef, onThere, onFault, onRatio, onSwipe }: ShowProps) => (
  <ImageStage
    src={file.src}
    alt={file.name}
    gridActionsRef={gridActionsRef}
    onShown={onThere}
    onFailed={() => onFault()}
    onRatio={onRatio}
    onSwipe={onSwipe}
  />
)

/** Frames don't report load errors, so the URL is checked first. */
function Pdf({ file, reader, onThere, onFault }: ShowProps) {
  const [isGood, setGood] = useState(false)
  const found = useEffectEvent((fault: ViewError | undefined) => (fault === undefined ? setGood(true) : onFault(fault)))
  useEffect(() => {
    const leaving = new AbortController()
    void reader.findFault(file, leaving.signal).then((fault) => {
      if (!leaving.signal.aborted) found(fault)
    })
    return () => leaving.abort()
  }, [file, reader])
  const canRead = navigator.pdfViewerEnabled
  const there = useEffectEvent(onThere)
  useEffect(() => {
    if (isGood && !canRead) there()
  }, [isGood, canRead])
  if (!isGood) return null
  if (!canRead) return <FileCard file={file} detail={UI_TEXTS.fileViewer.noPdf} canDownload />
  return <iframe className="file-viewer-pdf" src={file.src} title={file.name} onLoad={onThere} />
}

function Video({ file, onThere, onFault }: ShowProps) {
  return (
    <video
      className="file-viewer-video"
      src={file.src}
      aria-label={file.name}
      controls
      playsInline
      preload="metadata"
      onLoadedMetadata={onThere}
      onError={() => onFault()}
    />
  )
}

function Audio({ file, onThere, onFault }: ShowProps) {
  return (
    <FileCard file={file}>
      <audio
        src={file.src}
        aria-label={file.name}
        controls
        preload="metadata"
        onLoadedMetadata={onThere}
        onError={() => onFault()}
      />
    </FileCard>
  )
}

function Card({ file, onThere }: ShowProps) {
  const there = useEffectEvent(onThere)
  useEffect(() => there(), [])
  return <FileCard file={file} {...(file.note !== undefined && { detail: file.note })} canDownload />
}

function Text({ file, reader, onThere, onFault }: ShowProps) {
  const read = useCallback((signal: AbortSignal) => reader.readText(file, signal), [reader, file])
  return <TextStage label={file.name} read={read} onThere={onThere} onFault={onFault} />
}

const SHOWN_BY: { readonly [as in ViewedAs]: ComponentType<ShowProps> } = {
  picture: Picture,
  pdf: Pdf,
  video: Video,
  audio: Audio,
  text: Text,
  none: Card,
}
