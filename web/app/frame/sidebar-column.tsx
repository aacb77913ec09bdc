import { ActionIcon } from '@mantine/core'
import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { readStoredJson, setStored } from '#web/data/storage/browser-storage.ts'
import { t } from '#web/i18n/t.ts'
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '#web/ui/icons/frame.ts'
import { useCommand } from '#web/ui/shortcuts/commands.ts'
import { Sidebar } from './sidebar.tsx'

/** Pixels: the minimum fits single words, the maximum leaves room for a page. */
const SIDEBAR_WIDTH_PX = { least: 200, first: 248, most: 420 } as const

const STORAGE_KEY = 'sidebar.frame'

type SidebarState = { readonly isFolded: boolean; readonly widthPx: number }

function readStoredState(): SidebarState {
  const kept = readStoredJson(STORAGE_KEY)
  const { isFolded, widthPx } =
    typeof kept === 'object' ? ({ ...kept } as Partial<Record<keyof SidebarState, unknown>>) : {}
  return {
    isFolded: isFolded === true,
    widthPx: within(typeof widthPx === 'number' ? widthPx : SIDEBAR_WIDTH_PX.first),
  }
}

const within = (px: number): number => Math.round(Math.max(SIDEBAR_WIDTH_PX.least, Math.min(px, SIDEBAR_WIDTH_PX.most)))

export function useSidebarState(isNarrow: boolean) {
  const [frame, setFrame] = useState(readStoredState)
  const change = (part: Partial<SidebarState>): void => {
    const next = { ...frame, ...part }
    setFrame(next)
    setStored(STORAGE_KEY, JSON.stringify(next))
  }
  const setFolded = (isFolded: boolean): void => change({ isFolded })
  useCommand(
    isNarrow
      ? undefined
      : {
          id: 'fold-sidebar',
          label: frame.isFolded ? t('Show sidebar') : t('Hide sidebar'),
          about: 'app',
          icon: IconLayoutSidebarLeftCollapse,
          run: () => setFolded(!frame.isFolded),
        },
  )
  return { ...frame, setFolded, setWidth: (px: number) => change({ widthPx: within(px) }) }
}

type SidebarColumnProps = { readonly frame: ReturnType<typeof useSidebarState> }

export function SidebarColumn({ frame }: SidebarColumnProps) {
  const [drawnPx, setDrawnPx] = useState<number>()
  if (frame.isFolded) return null
  const widthPx = drawnPx ?? frame.widthPx
  return (
    <div className="shell-side" data-tour="navigation" style={{ width: widthPx }}>
      <Sidebar>
        <ActionIcon
          className="sidebar-collapse"
          aria-label={t('Hide sidebar')}
          title={t('Hide sidebar ([)')}
          onClick={() => frame.setFolded(true)}
        >
          <IconLayoutSidebarLeftCollapse size={18} stroke={1.5} className="sidebar-side-icon" />
        </ActionIcon>
        <SidebarEdge widthPx={widthPx} onDraw={setDrawnPx} onWidth={frame.setWidth} />
      </Sidebar>
    </div>
  )
}

export function SidebarOpener({ frame }: SidebarColumnProps) {
  if (!frame.isFolded) return null
  return (
    <ActionIcon
      data-tour="navigation"
      aria-label={t('Show sidebar')}
      title={t('Show sidebar ([)')}
      onClick={() => frame.setFolded(false)}
    >
      <IconLayoutSidebarLeftExpand size={20} stroke={1.5} className="sidebar-side-icon" />
    </ActionIcon>
  )
}

type SidebarEdgeProps = {
  readonly widthPx: number
  /** Width while dragging; undefined afterwards. */
  readonly onDraw: (px: number | undefined) => void
  readonly onWidth: (px: number) => void
}

/** One arrow key press, in pixels. */
const STEP_PX = 16

function SidebarEdge({ widthPx, onDraw, onWidth }: SidebarEdgeProps) {
  const toEnd = (): 1 | -1 => (document.documentElement.dir === 'rtl' ? -1 : 1)
  const { least, first, most } = SIDEBAR_WIDTH_PX
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowRight: STEP_PX, ArrowLeft: -STEP_PX }[event.key]
    if (by === undefined) return
    event.preventDefault()
    onWidth(widthPx + by * toEnd())
  }
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.preventDefault()
    const { clientX: startX, pointerId } = event
    const edge: HTMLElement = event.currentTarget
    edge.setPointerCapture(pointerId)
    const at = (x: number): number => Math.max(least, Math.min(widthPx + (x - startX) * toEnd(), most))
    const ending = new AbortController()
    const { signal } = ending
    edge.addEventListener('pointermove', ({ clientX }) => onDraw(at(clientX)), { signal })
    edge.addEventListener(
      'lostpointercapture',
      ({ clientX }) => {
        ending.abort()
        onDraw(undefined)
        onWidth(at(clientX))
      },
      { signal },
    )
  }
  return (
    // A splitter is operated by arrow keys, so it is focusable.
    <div
      role="separator"
      tabIndex={0}
      className="sidebar-edge"
      aria-label={t('Sidebar width')}
      aria-orientation="vertical"
      aria-valuenow={widthPx}
      aria-valuemin={least}
      aria-valuemax={most}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onDoubleClick={() => onWidth(first)}
    />
  )
}
