import { Badge, Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { startTotp, confirmTotp, removeTotp } from '#api/second-factors.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx'
import { Panel } from '#web/ui/layout/panel.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { t } from '#web/i18n/t.ts'
import { type FactorPanelProps, useAccountChange } from '#web/features/account/account-queries.ts'
import { isPasswordTooShort } from '#web/features/account/security-summary.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toCallError } from '#web/data/api/call-error.ts'
import { CodeInput } from '#web/shared/credentials/code-input.tsx'
import { describeError } from '#web/data/api/error-messages.ts'
import { formatWait, useCountdown } from '#web/shared/credentials/use-countdown.ts'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { ErrorNotice } from '#web/ui/feedback/load-states.tsx'
import { Say } from '#web/i18n/say.tsx'
import { FormActions } from '#web/ui/dialogs/form-actions.tsx'
import '#web/features/account/account-dialog.css'
import './totp-dialog.css'
import { encode } from 'uqr'

type QrCodeProps = { readonly text: string; readonly label: string }

/** Width of the quiet zone around the QR code, in modules. */
const BORDER = 4

/** Black on white in both color schemes, because many scanners can't read other colors. */
function QrCode({ text, label }: QrCodeProps) {
  const { data, size } = encode(text, { ecc: 'M', border: BORDER })
  const dark = data.flatMap((line, y) => line.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg className="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={dark.join('')} fill="#000" />
    </svg>
  )
}

type TotpDialogProps = {
  readonly secret: string
  readonly uri: string
  readonly onClose: () => void
  readonly onDone: (recoveryCodes: readonly string[]) => void
}

/** Formatted in groups of four, which are easier to type. */
const inGroups = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? secret

function failureSentence(error: unknown): string {
  if (toCallError(error)?.code === 'login-refused') {
    return t('Wrong code. Wait for the next one and try again. If that fails too, check your phone’s clock.')
  }
  const { title, detail } = describeError(error)
  return `${title}. ${detail}`
}

function TotpDialog({ secret, uri, onClose, onDone }: TotpDialogProps) {
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
        <FormActions
          label={
            secondsLeft > 0 ? t('Try again in {waitInWords}', { waitInWords: formatWait(secondsLeft) }) : t('Turn on')
          }
          isReady={secondsLeft === 0}
          isBusy={confirm.isPending}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}

type TotpPanelProps = FactorPanelProps & {
  readonly isOn: boolean
  /** How the user will sign in without the app; undefined if there is another second factor. */
  readonly leftAlone: string | undefined
}

export function TotpPanel({ isOn, leftAlone, notice, ...news }: TotpPanelProps) {
  const [isAsking, setIsAsking] = useState(false)
  const begin = useAccountChange({ run: () => call(startTotp), touches: [] })
  const remove = useAccountChange({
    run: () => call(removeTotp),
    touches: [queryKeys.factors, queryKeys.sessions],
    onDone() {
      setIsAsking(false)
      notify.success(t('Authenticator app turned off.'))
      news.onChanged()
    },
    onFailure(error) {
      if (!isPasswordTooShort(error)) return false
      setIsAsking(false)
      news.onPasswordShort()
      return true
    },
  })

  function finish(codes: readonly string[]) {
    begin.reset()
    notify.success(t('Authenticator app turned on.'))
    news.onChanged()
    if (codes.length > 0) news.onRecoveryCodes(codes)
  }

  return (
    <Panel
      mark="totp"
      title={t('Authenticator app')}
      state={isOn ? <Badge color="success">{t('On')}</Badge> : <Badge color="gray">{t('Off')}</Badge>}
      lead={t('An app on your phone shows a new six-digit code every 30 seconds, even offline.')}
    >
      {notice}
      {isOn ? (
        <Button onClick={() => setIsAsking(true)}>{t('Turn off')}</Button>
      ) : (
        <Button loading={begin.isPending} onClick={() => begin.mutate()}>
          {t('Set up')}
        </Button>
      )}
      {begin.data && <TotpDialog {...begin.data} onClose={begin.reset} onDone={finish} />}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={t('Turn off authenticator app')}
        actionLabel={t('Turn off')}
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        {leftAlone !== undefined
          ? t('You’ll only need {leftAlone} to sign in, and your recovery codes will be deleted.', { leftAlone })
          : t('Codes from the app will stop working. Your passkeys are kept.')}
      </ConfirmDialog>
    </Panel>
  )
}
