import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { ImageControls } from '#web/ui/image-viewer/image-stage.tsx'
import { IconChevronLeft, IconChevronRight } from '#web/ui/icons/general.ts'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import { FileStage } from './file-stage.tsx'
import { commandOf, ImageTools, type ViewerCommand, type ViewerKey, ViewerKeyList } from './viewer-keys-and-tools.tsx'
import type { FileReader, ViewedFile } from './viewed-file.tsx'
import { ViewerHeader } from './viewer-header.tsx'
import './file-viewer.css'
import { IMAGE_VIEWER } from '#domain/specification.ts'

type Slideshow = { readonly isPlaying: boolean; readonly toggle: () => void; readonly stop: () => void }

/**
 * Advances five seconds after an image is displayed, so that slow images aren't skipped. Pauses while the tab is
 * hidden.
 */
function useSlideshow(shown: { readonly key: string; readonly isThere: boolean }, onNext: () => void): Slideshow {
  const [isPlaying, setPlaying] = useState(false)
  const isSeen = useIsSeen()
  const next = useEffectEvent(onNext)
  const isWaiting = isPlaying && isSeen && shown.isThere
  useLayoutEffect(() => {
    if (!isWaiting) return undefined
    const timer = setTimeout(() => next(), IMAGE_VIEWER.slideshowIntervalMs)
    return () => clearTimeout(timer)
  }, [isWaiting, shown.key])
  return { isPlaying, toggle: () => setPlaying((was) => !was), stop: () => setPlaying(false) }
}

function useIsSeen(): boolean {
  const [isSeen, setSeen] = useState(!document.hidden)
  useEffect(() => {
    const look = () => setSeen(!document.hidden)
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return isSeen
}

export type FileViewerProps = {
  /** In display order. If the open file is removed, its neighbor is shown; an empty list closes the viewer. */
  readonly files: readonly ViewedFile[]
  readonly shownId: string
  readonly onShow: (id: string) => void
  readonly onClose: () => void
  readonly reader: FileReader
  readonly place?: string
  readonly actions?: ReactNode
}

const TEXTS = UI_TEXTS.fileViewer

/** The native dialog traps and restores focus. */
export function FileViewer(props: FileViewerProps) {
  const { files, shownId, onShow, onClose } = props
  const at = usePosition(files, shownId, { onShow, onClose })
  const file = files[at]
  return file ? <OpenViewer {...props} file={file} at={at} /> : null
}

/** Index of the displayed file; if that file is removed, the next file takes its place. */
function usePosition(
  files: readonly ViewedFile[],
  shownId: string,
  { onShow, onClose }: Pick<FileViewerProps, 'onShow' | 'onClose'>,
): number {
  const last = useRef(0)
  const at = files.findIndex(({ id }) => id === shownId)
  const standing = at < 0 ? Math.min(last.current, files.length - 1) : at
  const insteadId = at < 0 ? files[standing]?.id : undefined
  const isEmpty = files.length === 0
  const leave = useEffectEvent(() => {
    if (isEmpty) onClose()
    else if (insteadId !== undefined) onShow(insteadId)
  })
  useEffect(() => leave(), [isEmpty, insteadId])
  useEffect(() => {
    if (at >= 0) last.current = at
  }, [at])
  return standing
}

type OpenProps = FileViewerProps & { readonly file: ViewedFile; readonly at: number }

function OpenViewer(props: OpenProps) {
  const { files, file, at, onClose, reader } = props
  const titleId = useId()
  const dialogRef = useModal(shownKey(file))
  const { run, there, gridActionsRef, ratio, setRatio, canPlay, isPlaying, isHelping } = useViewing(props)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const command = commandOf(keyOf(event))
    if (command === undefined) return
    event.preventDefault()
    event.stopPropagation()
    run(command)
  }
  return (
    <dialog
      ref={dialogRef}
      className="file-viewer"
      aria-labelledby={titleId}
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        // Only the app closes the viewer: if the browser closed it while its file is still in the URL, it couldn't be
        // reopened.
        event.preventDefault()
        if (isHelping) run('help')
        else onClose()
      }}
      onClose={({ currentTarget }) => {
        // When this delayed event fires, the dialog may already have been reopened or removed.
        if (!currentTarget.open && currentTarget.isConnected) onClose()
      }}
    >
      <ViewerHeader {...props} titleId={titleId} isHelping={isHelping} onHelp={() => run('help')} />
      <div className="file-viewer-stage">
        <FileStage
          key={shownKey(file)}
          {...{ file, reader, gridActionsRef }}
          onThere={there}
          onRatio={setRatio}
          onSwipe={(to) => run(commandOf(keyTo(to, dialogRef.current)) ?? 'next')}
        />
        {isHelping && <ViewerKeyList />}
      </div>
      {files.length > 1 && <Turners onTurn={run} />}
      {file.as === 'picture' && <ImageTools {...{ ratio, canPlay, isPlaying }} onCommand={run} />}
      <div role="status" className="visually-hidden">
        {files.length > 1 ? `${file.name}, ${TEXTS.place(at + 1, files.length)}` : file.name}
      </div>
    </dialog>
  )
}

/** Includes the URL, so that a file is displayed again when its URL changes. */
const shownKey = ({ id, src }: ViewedFile): string => `${id} ${src}`

function useViewing({ files, file, at, onShow }: OpenProps) {
  const gridActionsRef = useRef<ImageControls | null>(null)
  const [thereKey, setThereKey] = useState('')
  const [ratio, setRatio] = useState<number>()
  const [isHelping, setHelping] = useState(false)
  const isThere = thereKey === shownKey(file)
  const pictures = files.filter(({ as }) => as === 'picture')
  const canPlay = pictures.length > 1 && file.as === 'picture'
  const goTo = (next: ViewedFile | undefined) => {
    if (next && next !== file) onShow(next.id)
  }
  const show = useSlideshow({ key: shownKey(file), isThere }, () =>
    goTo(pictures[(pictures.indexOf(file) + 1) % pictures.length]),
  )
  usePreloaded(isThere ? [files[at - 1], files[at + 1]] : [])
  const go = (to: number) => goTo(files[(to + files.length) % files.length])
  const does = commandsOf({ go, at, count: files.length, gridActionsRef, toggleHelp: () => setHelping((was) => !was) })
  const run = (command: ViewerCommand) => {
    if (command === 'play') return canPlay ? show.toggle() : undefined
    if (command !== 'help') show.stop()
    does[command]()
  }
  return {
    run,
    there: () => setThereKey(shownKey(file)),
    gridActionsRef,
    ratio: isThere ? ratio : undefined,
    setRatio,
    canPlay,
    isPlaying: show.isPlaying && canPlay,
    isHelping,
  }
}

type ViewerContext = {
  readonly go: (to: number) => void
  readonly at: number
  readonly count: number
  readonly gridActionsRef: { readonly current: ImageControls | null }
  readonly toggleHelp: () => void
}

const commandsOf = ({
  go,
  at,
  count,
  gridActionsRef,
  toggleHelp,
}: ViewerContext): Record<Exclude<ViewerCommand, 'play'>, () => void> => ({
  previous: () => go(at - 1),
  next: () => go(at + 1),
  first: () => go(0),
  last: () => go(count - 1),
  'zoom-in': () => gridActionsRef.current?.zoom('in'),
  'zoom-out': () => gridActionsRef.current?.zoom('out'),
  'actual-size': () => gridActionsRef.current?.actualSize(),
  fit: () => gridActionsRef.current?.fit(),
  'rotate-right': () => gridActionsRef.current?.rotate(90),
  'rotate-left': () => gridActionsRef.current?.rotate(-90),
  'flip-horizontal': () => gridActionsRef.current?.flip('horizontal'),
  'flip-vertical': () => gridActionsRef.current?.flip('vertical'),
  help: toggleHelp,
})

/** Opens the dialog on mount, and closes it and restores focus on unmount. `shown` is the key of its content. */
function useModal(shown: string) {
  const ref = useRef<HTMLDialogElement>(null)
  // Runs before the dialog is removed, because focus can't be restored afterwards.
  useLayoutEffect(() => {
    const dialog = ref.current
    const before = document.activeElement
    dialog?.showModal()
    dialog?.focus()
    return () => {
      dialog?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [])
  useEffect(() => {
    // If a button of the previous file had focus, focus was lost along with the button.
    if (!ref.current?.contains(document.activeElement)) ref.current?.focus()
  }, [shown])
  return ref
}

/** Preloads only the previous and next image. */
function usePreloaded(otherInstances: readonly (ViewedFile | undefined)[]): void {
  const wanted = otherInstances.flatMap((file) => (file?.as === 'picture' ? [file.src] : []))
  const key = wanted.join(' ')
  useEffect(() => {
    const images = key.split(' ').flatMap((src) => (src === '' ? [] : [Object.assign(new Image(), { src })]))
    return () => {
      for (const image of images) if (!image.complete) image.removeAttribute('src')
    }
  }, [key])
}

function keyOf({
  key,
  ctrlKey,
  metaKey,
  altKey,
  shiftKey,
  target,
  currentTarget,
}: KeyboardEvent<HTMLElement>): ViewerKey {
  return {
    key,
    isHeld: ctrlKey || metaKey || altKey,
    isShift: shiftKey,
    on: target instanceof Element ? clickTargetOf(target) : 'nothing',
    isRightToLeft: isRightToLeft(currentTarget),
  }
}

function clickTargetOf(target: Element): ViewerKey['on'] {
  if (target.closest('audio, video')) return 'player'
  if (target.closest('.file-viewer-text')) return 'text'
  return target.closest('button, a') ? 'button' : 'nothing'
}

const isRightToLeft = (element: Element | null): boolean =>
  element !== null && getComputedStyle(element).direction === 'rtl'

const keyTo = (to: 'left' | 'right', dialog: Element | null): ViewerKey => ({
  key: to === 'left' ? 'ArrowRight' : 'ArrowLeft',
  isHeld: false,
  isShift: false,
  on: 'nothing',
  isRightToLeft: isRightToLeft(dialog),
})

const TURNERS = [
  { to: 'previous', Icon: IconChevronLeft },
  { to: 'next', Icon: IconChevronRight },
] as const

/** The previous and next buttons have a fixed position, so that they can be clicked repeatedly. */
const Turners = ({ onTurn }: { readonly onTurn: (command: ViewerCommand) => void }) =>
  TURNERS.map(({ to, Icon }) => (
    <button
      key={to}
      type="button"
      className="file-viewer-turner"
      data-to={to}
      aria-label={TEXTS[to]}
      title={TEXTS[to]}
      onClick={() => onTurn(to)}
    >
      <Icon size={22} stroke={1.5} aria-hidden />
    </button>
  ))
