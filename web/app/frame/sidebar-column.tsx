import { ActionIcon } from '@mantine/core'
import { useState } from 'react'
import { readStoredJson, setStored } from '#web/data/storage/browser-storage.ts'
import { t } from '#web/i18n/t.ts'
import { ResizeHandle } from '#web/ui/controls/resize-handle.tsx'
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '#web/ui/icons/frame.ts'
import { useCommand } from '#web/ui/shortcuts/commands.ts'
import { Sidebar } from './sidebar.tsx'

/** In px. The minimum fits single words; the maximum leaves room for a page. */
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
  return { ...frame, setFolded, setWidth: (widthPx: number) => change({ widthPx }) }
}

type SidebarColumnProps = { readonly frame: ReturnType<typeof useSidebarState> }

export function SidebarColumn({ frame }: SidebarColumnProps) {
  const [drawnPx, setDrawnPx] = useState<number>()
  if (frame.isFolded) return null
  const resize = (widthPx: number | undefined, isFinal: boolean) => {
    setDrawnPx(isFinal ? undefined : widthPx)
    if (isFinal) frame.setWidth(widthPx ?? SIDEBAR_WIDTH_PX.first)
  }
  return (
    <div className="shell-side" data-tour="navigation" style={{ width: drawnPx ?? frame.widthPx }}>
      <Sidebar>
        <ActionIcon
          className="sidebar-collapse"
          aria-label={t('Hide sidebar')}
          title={t('Hide sidebar ([)')}
          onClick={() => frame.setFolded(true)}
        >
          <IconLayoutSidebarLeftCollapse size={18} stroke={1.5} className="sidebar-side-icon" />
        </ActionIcon>
        <ResizeHandle
          label={t('Sidebar width')}
          className="sidebar-edge"
          side="end"
          widthPx={drawnPx ?? frame.widthPx}
          minPx={SIDEBAR_WIDTH_PX.least}
          maxPx={SIDEBAR_WIDTH_PX.most}
          onWidth={resize}
        />
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
