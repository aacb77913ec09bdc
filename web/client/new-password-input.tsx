import { PasswordInput } from '@mantine/core'
import type { Ref } from 'react'
import { judgePassword, type PasswordOwner } from '#domain/sessions/password-rules.ts'
import { PasswordHint } from './password-hint.tsx'

type NewPasswordInputProps = {
  readonly ref?: Ref<HTMLInputElement>
  readonly label?: string
  readonly owner: PasswordOwner
  readonly value: string
  /** Somebody tried to go on with it: what it lacks is said as a refusal from now on. */
  readonly wasTried: boolean
  readonly autoFocus?: boolean
  readonly onChange: (password: string) => void
}

/** Where a new password is chosen; it is judged while it is typed, by the judge the server asks too. */
export function NewPasswordInput({ ref, label = 'Password', owner, value, wasTried, ...rest }: NewPasswordInputProps) {
  const verdict = judgePassword(value, owner)
  const isRefused = wasTried && verdict !== 'good'
  return (
    <PasswordInput
      ref={ref}
      label={label}
      name="new-password"
      size="md"
      required
      withAsterisk={false}
      autoComplete="new-password"
      autoFocus={rest.autoFocus === true}
      value={value}
      error={isRefused}
      description={<PasswordHint password={value} owner={owner} verdict={verdict} isRefused={isRefused} />}
      descriptionProps={{ component: 'div' }}
      inputWrapperOrder={['label', 'input', 'description']}
      onChange={({ currentTarget }) => rest.onChange(currentTarget.value)}
    />
  )
}
