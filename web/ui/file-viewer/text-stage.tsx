import { useEffect, useEffectEvent, useState } from 'react'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import type { TextPart, ViewError } from './viewed-file.ts'

type TextStageProps = {
  readonly label: string
  /** Keep it stable: another reads anew. */
  readonly read: (signal: AbortSignal) => Promise<TextPart | ViewError>
  readonly onThere: () => void
  readonly onFault: (fault: ViewError) => void
}

const TEXTS = UI_TEXTS.fileViewer

/** The beginning of a text, as letters and nothing else: whatever stands in it, a browser does not read it as a page. */
export function TextStage({ label, read, onThere, onFault }: TextStageProps) {
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
      {/* It scrolls, so that the keyboard has to reach it. */}
      <section className="file-viewer-text" data-focus-inside tabIndex={0} aria-label={label}>
        {text === '' ? <p>{TEXTS.empty}</p> : <pre dir="auto">{text}</pre>}
      </section>
      {notes.length > 0 && <p className="file-viewer-paper-note">{notes.join(' ')}</p>}
    </div>
  )
}
