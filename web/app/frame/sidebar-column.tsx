import { ActionIcon } from '@mantine/core'
import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '#web/ui/icons/frame.ts'
import { t } from '#web/i18n/t.ts'
import { Sidebar } from './sidebar.tsx'
import { SIDEBAR_WIDTH_PX, type useSidebarState } from './use-sidebar-state.ts'

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
