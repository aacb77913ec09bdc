import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { tokensQuery } from '#web/features/account/account-queries.ts'
import { TokenDialog } from '#web/features/account/tokens/token-dialog.tsx'
import { TokenList } from '#web/features/account/tokens/token-list.tsx'
import { EmptyState } from '#web/ui/feedback/notice.tsx'
import { IconKey } from '#web/ui/icons/start.ts'
import { IconPlus } from '#web/ui/icons/frame.ts'
import { Say } from '#web/i18n/say.tsx'
import { t } from '#web/i18n/t.ts'
import { AccountNav, PageFrame } from '#web/pages/frame/page-frame.tsx'

export function TokensPage() {
  const { data: tokens, error, refetch } = useQuery(tokensQuery)
  const [isMaking, setIsMaking] = useState(false)
  const begin = () => setIsMaking(true)
  return (
    <PageFrame
      title={t('API tokens')}
      lead={t('Tokens let programs act on your behalf, with only the permissions you grant.')}
      width="middle"
      actions={
        tokens &&
        tokens.length > 0 && (
          <Button
            data-tour="new-token"
            variant="filled"
            leftSection={<IconPlus size={16} stroke={1.5} />}
            onClick={begin}
          >
            {t('New token')}
          </Button>
        )
      }
    >
      <AccountNav />
      <p>
        <Say
          text={t('See the <link>API reference</link> for available endpoints.')}
          parts={{ link: (words) => <Link to="/api/docs">{words}</Link> }}
        />
      </p>
      {error && !tokens && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {!tokens && !error && <Skeleton height={180} radius="md" />}
      {tokens?.length === 0 && (
        <EmptyState
          icon={IconKey}
          text={t('No API tokens yet. Create one for a script, spreadsheet or service that reads or writes records.')}
        >
          <Button data-tour="new-token" variant="filled" onClick={begin}>
            {t('New token')}
          </Button>
        </EmptyState>
      )}
      {tokens && tokens.length > 0 && <TokenList tokens={tokens} />}
      {isMaking && <TokenDialog onClose={() => setIsMaking(false)} />}
    </PageFrame>
  )
}
