import { Textarea } from '@mantine/core'
import { useState } from 'react'
import type { QueryFault } from '#domain/query/query-context.ts'
import { TextFault } from './text-fault.tsx'
import './conditions.css'

type ConditionTextProps = {
  readonly label: string
  /** The condition as it is known. */
  readonly text: string
  /** What is wrong with what is typed. */
  readonly faultIn: (text: string) => QueryFault | undefined
  readonly onChange: (text: string) => void
}

/** A condition as text. A mistake is told with its place. */
export function ConditionText({ label, text, faultIn, onChange }: ConditionTextProps) {
  const [typed, setTyped] = useState(text)
  const fault = faultIn(typed)
  return (
    <Textarea
      className="condition-text"
      aria-label={`${label}, as text`}
      description="Compare with = != < <= > >= ~ ^= $= in, between, is empty. Join with && and ||."
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      placeholder={'status = "open" && amount >= 10'}
      autosize
      minRows={2}
      maxRows={8}
      spellCheck={false}
      autoCapitalize="off"
      value={typed}
      error={fault && <TextFault text={typed} message={fault.message} position={fault.position} />}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        onChange(currentTarget.value)
      }}
    />
  )
}
