import { Textarea } from '@mantine/core'
import { jsonRules } from '#domain/fields/json.ts'
import { ok } from '#domain/shared/result.ts'
import { textInputProps } from '#web/field-kinds/input-frame.ts'
import type { InputProps } from '#web/field-kinds/field-kind.ts'
import { useValidatedText } from '#web/field-kinds/typed-text/typed-text-input.tsx'
import '../field-kinds.css'

const printJson = (value: unknown): string => (value === null ? '' : JSON.stringify(value, null, 2))

export function JsonInput(props: InputProps<'json'>) {
  const { field, value, onChange, onFault, onDone } = props
  const read = (text: string) => {
    const parsed = jsonRules.parse(text, field)
    return parsed.ok ? ok<unknown>(JSON.parse(parsed.value)) : parsed
  }
  const { typed, type, leave, errorBeside } = useValidatedText({ onChange, onFault, onDone, read })
  return (
    <Textarea
      {...textInputProps(props)}
      error={errorBeside(props.error)}
      className="json-input"
      autosize
      minRows={2}
      maxRows={24}
      spellCheck={false}
      autoCapitalize="off"
      value={typed ?? printJson(value)}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onBlur={leave}
    />
  )
}
