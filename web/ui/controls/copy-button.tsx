import { Button, type ButtonProps } from '@mantine/core'
import { useEffect, useState } from 'react'
import { IconCheck } from '#web/ui/icons/general.ts'
import { IconCopy } from '#web/ui/icons/later.ts'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import { notify } from '#web/ui/toast/notify.ts'

type CopyButtonProps = Pick<ButtonProps, 'size' | 'variant'> & {
  readonly text: string
  readonly children?: string
}

const DONE_SHOWN_MS = 2000

export function CopyButton({ text, children = UI_TEXTS.copy.copy, ...look }: CopyButtonProps) {
  const [isDone, setIsDone] = useState(false)
  useEffect(() => {
    if (!isDone) return undefined
    const timer = setTimeout(() => setIsDone(false), DONE_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isDone])

  function copy() {
    // Browsers allow clipboard access only over HTTPS and on localhost.
    const written = window.isSecureContext
      ? navigator.clipboard.writeText(text)
      : Promise.reject(new Error('no access'))
    void written.then(
      () => setIsDone(true),
      () => notify.warning(UI_TEXTS.copy.refused, { detail: UI_TEXTS.copy.byHand }),
    )
  }

  const CopyIcon = isDone ? IconCheck : IconCopy
  return (
    <Button {...look} leftSection={<CopyIcon size={16} stroke={1.5} aria-hidden />} onClick={copy}>
      <span aria-live="polite">{isDone ? UI_TEXTS.copy.copied : children}</span>
    </Button>
  )
}
