import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { checkPassword } from '#domain/sessions/password-rules.ts'
import { isPasswordRejected, NewPasswordInput } from '#web/shared/credentials/new-password-input.tsx'
import { partMessage } from '#web/data/api/error-messages.ts'
import { sessionActions } from '#web/data/session/session-actions.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { t } from '#web/i18n/t.ts'

type SetupFormProps = {
  readonly code: string
}

const FIELD = { size: 'md', required: true, withAsterisk: false } as const

export function SetupForm({ code }: SetupFormProps) {
  const [owner, setOwner] = useState({ name: '', email: '', password: '' })
  const [wasTried, setWasTried] = useState(false)
  const passwordInput = useRef<HTMLInputElement>(null)
  const outcome = checkPassword(owner.password, owner)
  const setUp = useMutation({
    mutationFn: () => sessionActions.setUpOwner({ ...owner, email: owner.email.trim(), code }),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    setWasTried(true)
    if (outcome !== 'good') passwordInput.current?.focus()
    else if (!setUp.isPending) setUp.mutate()
  }

  const change = (part: Partial<typeof owner>) => setOwner((before) => ({ ...before, ...part }))

  return (
    <form onSubmit={submit}>
      {setUp.error && !isPasswordRejected(setUp.error) && <FailureNotice error={setUp.error} />}
      <TextInput
        label={t('Your name')}
        name="name"
        {...FIELD}
        autoComplete="name"
        autoFocus
        maxLength={120}
        value={owner.name}
        error={partMessage(setUp.error, 'name')}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <TextInput
        label={t('Email')}
        type="email"
        name="email"
        {...FIELD}
        autoComplete="username"
        value={owner.email}
        error={partMessage(setUp.error, 'email')}
        onChange={(event) => change({ email: event.currentTarget.value })}
      />
      <NewPasswordInput
        ref={passwordInput}
        owner={owner}
        value={owner.password}
        wasTried={wasTried}
        failure={setUp.error}
        onChange={(password) => change({ password })}
      />
      <Button type="submit" variant="filled" size="md" fullWidth loading={setUp.isPending}>
        {t('Create workspace')}
      </Button>
    </form>
  )
}
