import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { onOpenPreview, useGroupOf } from './visible-files.ts'

const viewer = lazyModule(() => import('./preview-viewer.tsx'))

/** The open file is stored in the URL as `file`, so that going back closes the viewer. */
export function FilePreview() {
  const { file: inAddress = '' } = useSearch({ strict: false })
  /** The requested file, so that fast navigation continues from it before the URL is updated. */
  const [wanted, setWanted] = useState<string>()
  const file = inAddress === '' ? '' : (wanted ?? inAddress)
  const navigate = useNavigate()
  const { history } = useRouter()
  /** History index at which the viewer was opened. */
  const openedAt = useRef<number | undefined>(undefined)
  const go = (next: string | undefined, isStep: boolean) =>
    navigate({
      to: '.',
      search: (parts: { readonly [name: string]: string | undefined }) => ({ ...parts, file: next }),
      replace: !isStep,
      resetScroll: false,
    })
  const show = (next: string) => {
    setWanted(next)
    const isThere = () => setWanted((now) => (now === next ? undefined : now))
    void go(next, false).then(isThere, isThere)
  }
  const open = useEffectEvent((next: string) => {
    void go(next, true).then(() => {
      openedAt.current = history.location.state.__TSR_index
    })
  })
  useEffect(() => onOpenPreview((next) => open(next)), [])
  const close = () => {
    const isJustOpened = openedAt.current === history.location.state.__TSR_index
    openedAt.current = undefined
    if (isJustOpened) history.back()
    else void go(undefined, false)
  }
  if (file === '') return null
  return <OpenPreview file={file} onShow={show} onClose={close} onGone={() => void go(undefined, false)} />
}

type OpenPreviewProps = {
  readonly file: string
  readonly onShow: (file: string) => void
  readonly onClose: () => void
  readonly onGone: () => void
}

function OpenPreview({ file, onShow, onClose, onGone }: OpenPreviewProps) {
  const { PreviewViewer, FindFile } = useLazyModule(viewer, true) ?? {}
  const seen = useRef({ file: '', key: '' })
  // Remembers the group, so that the viewer can show another of its files if this file is removed.
  const group = useGroupOf(file, seen.current.file === file ? seen.current.key : '')
  useEffect(() => {
    if (group?.files.some(({ id }) => id === file)) seen.current = { file, key: group.key }
  }, [group, file])
  if (!PreviewViewer || !FindFile) return null
  if (!group) return <FindFile file={file} onGone={onGone} />
  return <PreviewViewer group={group} file={file} onShow={onShow} onClose={onClose} />
}
