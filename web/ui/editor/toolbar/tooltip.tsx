import { Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import { ShortcutHint } from '#web/ui/shortcuts/shortcut-hint.tsx'

/** What a toolbar button says when it is pointed at: its name and its keys. */
export function ToolTip({ label, keys, children }: { label: string; keys?: string | undefined; children: ReactNode }) {
  return (
    <Tooltip
      label={
        <>
          {label} {keys !== undefined && <ShortcutHint keys={keys} />}
        </>
      }
    >
      {children}
    </Tooltip>
  )
}
