import { ActionIcon } from '@mantine/core'
import { useClickOutside } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import { IconX } from '#web/ui/icons/later.ts'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import { ShortcutHint } from '#web/ui/shortcuts/shortcuts.tsx'
import { EDITOR_KEYS } from './editor-key-list.ts'

const TEXTS = UI_TEXTS.editor

export function KeyList({ onClose }: { onClose: () => void }) {
  const panel = useClickOutside<HTMLDivElement>(onClose)
  const close = useRef<HTMLButtonElement>(null)
  useEffect(() => close.current?.focus(), [])
  return (
    <div
      ref={panel}
      className="editor-keys"
      role="dialog"
      aria-label={TEXTS.shortcuts}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
    >
      <div className="editor-keys-head">
        <strong>{TEXTS.shortcuts}</strong>
        <ActionIcon ref={close} size="sm" aria-label={UI_TEXTS.close} onClick={onClose}>
          <IconX size={16} stroke={1.5} aria-hidden />
        </ActionIcon>
      </div>
      <dl>
        {EDITOR_KEYS.map(([label, keys]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <span className="visually-hidden">{keys}</span>
              <ShortcutHint keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
      <p>{TEXTS.typed}</p>
    </div>
  )
}
