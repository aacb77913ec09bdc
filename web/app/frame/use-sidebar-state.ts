import { useState } from 'react'
import { setStored, readStoredJson } from '#web/data/storage/browser-storage.ts'
import { useCommand } from '#web/ui/shortcuts/commands.ts'
import { IconLayoutSidebarLeftCollapse } from '#web/ui/icons/frame.ts'
import { t } from '#web/i18n/t.ts'

/** Pixels: the minimum fits single words, the maximum leaves room for a page. */
export const SIDEBAR_WIDTH_PX = { least: 200, first: 248, most: 420 } as const

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
