import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { confirmTotp } from '#api/second-factors.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { call } from '#web/data/api/call.ts'
import { CodeInput } from '#web/shared/credentials/code-input.tsx'
import { describeError } from '#web/data/api/error-messages.ts'
import { queryKeys } from '#web/data/queries/query-keys.ts'
import { useCountdown, formatWait } from '#web/shared/credentials/use-countdown.ts'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { ErrorNotice } from '#web/ui/feedback/error-notice.tsx'
import { Say } from '#web/i18n/say.tsx'
import { t } from '#web/i18n/t.ts'
import '../account-dialog.css'
import { QrCode } from './qr-code.tsx'
import './totp-dialog.css'

type TotpDialogProps = {
  readonly secret: string
  readonly uri: string
  readonly onClose: () => void
  readonly onDone: (recoveryCodes: readonly string[]) => void
}

/** Long secrets are typed in groups of four. */
const inGroups = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? secret

function failureSentence(error: unknown): string {
  if (toCallError(error)?.code === 'login-refused') {
    return t('Wrong code. Wait for the next one and try again. If that fails too, check your phone’s clock.')
  }
  const { title, detail } = describeError(error)
  return `${title}. ${detail}`
}

/** Sets an authenticator app up: the app reads the code, and shows in return that it has it. */
export function TotpDialog({ secret, uri, onClose, onDone }: TotpDialogProps) {
  const [code, setCode] = useState('')
  const queryClient = useQueryClient()
  const confirm = useMutation({
    mutationFn: (text: string) => call(confirmTotp, { body: { code: text } }),
    onSuccess({ recoveryCodes }) {
      for (const queryKey of [queryKeys.factors, queryKeys.sessions]) void queryClient.invalidateQueries({ queryKey })
      onDone(recoveryCodes)
    },
    onError: () => setCode(''),
  })
  const secondsLeft = useCountdown(confirm.error)

  function go(text: string) {
    if (text !== '' && !confirm.isPending && secondsLeft === 0) confirm.mutate(text)
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    go(code)
  }

  return (
    <Dialog opened onClose={onClose} title={t('Set up an authenticator app')} size={560} closeOnClickOutside={false}>
      <form onSubmit={submit} className="account-dialog">
        <div className="totp-dialog-scan">
          <QrCode text={uri} label={t('Authenticator app code')} />
          <div>
            <p>
              <Say
                text="<b>1.</b> Open your authenticator app, add an account, and scan this code. Any authenticator app works."
                parts={{ b: (inner) => <strong>{inner}</strong> }}
              />
            </p>
            <p className="account-dialog-hint">{t('Can’t scan it? Enter this key in the app:')}</p>
            <code className="totp-dialog-secret">{inGroups(secret)}</code>
            <CopyButton text={secret} size="xs">
              {t('Copy key')}
            </CopyButton>
          </div>
        </div>
        <p>
          <Say
            text="<b>2.</b> Enter the six-digit code from the app."
            parts={{ b: (inner) => <strong>{inner}</strong> }}
          />
        </p>
        {confirm.error && <ErrorNotice title={failureSentence(confirm.error)} />}
        <CodeInput kind="totp" value={code} onChange={setCode} onComplete={go} />
        <div className="account-dialog-actions">
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="filled" loading={confirm.isPending} disabled={secondsLeft > 0}>
            {secondsLeft > 0 ? t('Try again in {waitInWords}', { waitInWords: formatWait(secondsLeft) }) : t('Turn on')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
