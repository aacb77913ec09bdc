import { Textarea } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { parseFilter } from '#domain/query/parse-filter.ts'
import { TextFault } from '#web/fields/conditions/text-fault.tsx'
import { useDelayedText } from '#web/kit/grid/use-delayed-text.ts'
import './filters.css'

type FilterTextProps = {
  readonly text: string
  readonly onChange: (text: string) => void
  /** What the server has against the filter, and where. */
  readonly refusal?: { readonly message: string; readonly position: number | undefined } | undefined
}

/** The filter as text. A mistake is told with its place, and the list stays as it was until it is mended. */
export function FilterText({ text, onChange, refusal }: FilterTextProps) {
  const delayed = useDelayedText(text, (typed) => {
    if (parseFilter(typed).ok) onChange(typed.trim())
  })
  const parsed = parseFilter(delayed.text)
  const fault = parsed.ok ? (delayed.text.trim() === text ? refusal : undefined) : parsed.fault

  const pressKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    delayed.onKeyDown(event)
  }
  return (
    <div className="filter-text">
      <Textarea
        aria-label="Filter as text"
        description="Compare with = != < <= > >= ~ ^= $= in, between, is empty. Join with && and ||."
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        placeholder={'status = "open" && amount >= 10'}
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        autoCapitalize="off"
        value={delayed.text}
        error={fault && <TextFault text={delayed.text} {...fault} />}
        onChange={({ currentTarget }) => delayed.onType(currentTarget.value)}
        onKeyDown={pressKey}
      />
    </div>
  )
}
