import { auditChangeInWords } from '#domain/audit/audit-changes.ts'
import { auditDetails, type AuditItem, auditSentence, isAlarming } from '#domain/audit/describe-audit.ts'
import { RelativeTime } from '#web/ui/text/relative-time.tsx'
import { t } from '#web/i18n/t.ts'
import '../users.css'

/** What happened, newest first. */
export function AuditList({ items }: { readonly items: readonly AuditItem[] }) {
  return (
    <ol className="audit">
      {items.map((item) => (
        <li key={item.id} className="audit-entry" data-alarming={isAlarming(item) || undefined}>
          <RelativeTime at={item.at} />
          <div className="audit-words">
            {auditSentence(item)}
            <div className="audit-details">{auditDetails(item)}</div>
            {item.changes.length > 0 && (
              <ul className="audit-changes">
                {item.changes.map((change, at) => (
                  <li key={at}>{auditChangeInWords(change)}</li>
                ))}
              </ul>
            )}
          </div>
          <span className="audit-address tabular">
            {item.address === '' && item.user === null ? t('command line') : item.address}
          </span>
        </li>
      ))}
    </ol>
  )
}
