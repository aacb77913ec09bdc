import { PasswordInput } from '@mantine/core'
import { type Ref, useId } from 'react'
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
  const hintId = useId()
  const verdict = judgePassword(value, owner)
  const isRefused = wasTried && verdict !== 'good'
  return (
    <div>
      <PasswordInput
        ref={ref}
        label={label}
        name="new-password"
        size="md"
        required
        withAsterisk={false}
        autoComplete="new-password"
        aria-describedby={hintId}
        autoFocus={rest.autoFocus === true}
        value={value}
        error={isRefused}
        onChange={({ currentTarget }) => rest.onChange(currentTarget.value)}
      />
      <PasswordHint id={hintId} password={value} verdict={verdict} isRefused={isRefused} />
    </div>
  )
}
