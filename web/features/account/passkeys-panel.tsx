import { Button } from '@mantine/core'
import { IconFingerprint, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { removePasskey } from '#api/second-factors.ts'
import { call } from '#web/client/call.ts'
import { canUsePasskeys } from '#web/client/passkeys.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'
import { Line, LineList } from '#web/kit/line-list.tsx'
import { Panel } from '#web/kit/panel.tsx'
import { RelativeTime } from '#web/kit/relative-time.tsx'
import { notify } from '#web/kit/toast/notify.tsx'
import { useAccountChange } from './account-queries.ts'
import { AddPasskeyDialog } from './add-passkey-dialog.tsx'
import type { Factors } from './security-summary.tsx'

type Passkey = Factors['passkeys'][number]

type PasskeysPanelProps = {
  readonly passkeys: readonly Passkey[]
  readonly onRecoveryCodes: (codes: readonly string[]) => void
}

/** The passkeys of the account: added, removed. */
export function PasskeysPanel({ passkeys, onRecoveryCodes }: PasskeysPanelProps) {
  const [isAdding, setIsAdding] = useState(false)
  const [leaving, setLeaving] = useState<Passkey | null>(null)
  const remove = useAccountChange({
    run: ({ id }: Passkey) => call(removePasskey, { params: { passkey: id } }),
    touches: [queryKeys.factors],
    onDone(_, { name }) {
      setLeaving(null)
      notify.success(`The passkey ${name} is removed.`)
    },
  })

  return (
    <Panel
      title="Passkeys"
      lead="Sign in with your fingerprint, your face, your PIN or a security key. Nothing to type, and nothing that can be phished."
    >
      {passkeys.length > 0 && (
        <LineList label="Passkeys">
          {passkeys.map((passkey) => (
            <Line
              key={passkey.id}
              icon={IconFingerprint}
              title={passkey.name}
              detail={<PasskeyDetail passkey={passkey} />}
              actions={
                <Button size="xs" aria-label={`Remove ${passkey.name}`} onClick={() => setLeaving(passkey)}>
                  Remove
                </Button>
              }
            />
          ))}
        </LineList>
      )}
      {canUsePasskeys() ? (
        <Button leftSection={<IconPlus size={16} stroke={1.5} />} onClick={() => setIsAdding(true)}>
          Add a passkey
        </Button>
      ) : (
        <p>Browsers allow passkeys only over https. Open this workspace by its https address to add one.</p>
      )}
      {isAdding && <AddPasskeyDialog onClose={() => setIsAdding(false)} onRecoveryCodes={onRecoveryCodes} />}
      <ConfirmDialog
        isOpen={leaving !== null}
        onClose={() => setLeaving(null)}
        title={`Remove ${leaving?.name ?? 'the passkey'}`}
        actionLabel="Remove passkey"
        isBusy={remove.isPending}
        onConfirm={() => leaving && remove.mutate(leaving)}
      >
        It will not sign you in any more. Your device may still offer it until you delete it there, too.
      </ConfirmDialog>
    </Panel>
  )
}

function PasskeyDetail({ passkey: { createdAt, usedAt } }: { readonly passkey: Passkey }) {
  return (
    <>
      Added <RelativeTime at={createdAt} />
      {' · '}
      {usedAt === null ? (
        'not used yet'
      ) : (
        <>
          last used <RelativeTime at={usedAt} />
        </>
      )}
    </>
  )
}
