import type { Template } from '#domain/templates/template.ts'

/** People who want to work here. */
export const APPLICANTS: Template = {
  id: 'applicants',
  label: 'Applicants',
  purpose: 'Open positions and everybody who applied: their papers, what was said of them, and how far they came.',
  collections: [
    {
      name: 'positions',
      label: 'Positions',
      titleField: 'title',
      fields: [
        { label: 'Title', kind: 'text', required: true },
        { label: 'Team', kind: 'text' },
        { label: 'Hiring', kind: 'user' },
        { label: 'Open since', kind: 'date' },
        { label: 'Filled', kind: 'checkbox' },
        { label: 'Description', kind: 'rich-text' },
      ],
      views: [{ name: 'Open', filter: 'filled = false', sort: 'openSince' }],
      records: [
        { title: 'Archivist', team: 'Collections', openSince: { inDays: -30 }, hiring: { person: 'me' } },
        { title: 'Web developer', team: 'Digital', openSince: { inDays: -12 } },
      ],
    },
    {
      name: 'applicants',
      label: 'Applicants',
      titleField: 'name',
      fields: [
        { label: 'Name', kind: 'text', required: true },
        { label: 'Email', kind: 'email', unique: true },
        { label: 'Phone', kind: 'phone' },
        {
          label: 'Stage',
          kind: 'state',
          options: {
            choices: [
              { name: 'Applied', color: 'blue' },
              { name: 'First talk', color: 'cyan' },
              { name: 'Interview', color: 'violet' },
              { name: 'Offer', color: 'amber' },
              { name: 'Hired', color: 'green' },
              { name: 'Declined', color: 'gray' },
            ],
          },
        },
        { label: 'Position', kind: 'relation', options: { collection: 'positions' } },
        { label: 'Rating', kind: 'number', options: { min: 1, max: 5, decimals: 0 } },
        {
          label: 'Found us by',
          kind: 'select',
          options: {
            choices: [
              { name: 'Our page', color: 'teal' },
              { name: 'Job board', color: 'orange' },
              { name: 'Somebody here', color: 'pink' },
            ],
          },
        },
        { label: 'Next talk', kind: 'date-time' },
        { label: 'Papers', kind: 'files', options: { accept: ['application/pdf', 'image/*'] } },
        { label: 'Notes', kind: 'rich-text' },
      ],
      moves: [
        { name: 'Call', from: 'Applied', to: 'First talk' },
        { name: 'Invite', from: 'First talk', to: 'Interview' },
        { name: 'Make an offer', from: 'Interview', to: 'Offer' },
        { name: 'Hire', from: 'Offer', to: 'Hired' },
        { name: 'Decline', from: 'Applied', to: 'Declined', note: 'optional' },
        { name: 'Decline', from: 'First talk', to: 'Declined', note: 'optional' },
        { name: 'Decline', from: 'Interview', to: 'Declined', note: 'required' },
        { name: 'Offer was declined', from: 'Offer', to: 'Declined', note: 'optional' },
        { name: 'Consider again', from: 'Declined', to: 'Applied', note: 'required' },
      ],
      states: { Interview: { requiredToLeave: ['rating'] } },
      rules: [
        {
          when: 'stage in ("Offer", "Hired")',
          then: 'rating >= 3',
          message: 'Offers go to those who were rated 3 or better.',
          field: 'rating',
        },
      ],
      views: [
        {
          name: 'By stage',
          group: 'stage',
          sort: '-rating,name',
          hidden: ['notes'],
          colors: [{ filter: 'rating = 5', color: 'green', field: 'rating' }],
        },
        { name: 'By position', group: 'position', sort: 'stage,name', hidden: ['notes'] },
        { name: 'In talks', filter: 'stage in ("First talk", "Interview")', sort: 'nextTalk' },
      ],
      records: [
        {
          name: 'Noor Haddad',
          email: 'noor@example.com',
          stage: 'Interview',
          position: 'Archivist',
          rating: 5,
          foundUsBy: 'Somebody here',
          notes: 'Catalogued a private collection of letters.\nAsked good questions about the reading room.',
        },
        {
          name: 'Piet Janssen',
          email: 'piet@example.com',
          stage: 'First talk',
          position: 'Web developer',
          rating: 3,
          foundUsBy: 'Job board',
        },
        {
          name: 'Sofia Rossi',
          email: 'sofia@example.com',
          stage: 'Applied',
          position: 'Web developer',
          foundUsBy: 'Our page',
        },
        {
          name: 'Emil Novák',
          email: 'emil@example.com',
          stage: 'Offer',
          position: 'Archivist',
          rating: 4,
          foundUsBy: 'Our page',
        },
        {
          name: 'Kim Sato',
          email: 'kim@example.com',
          stage: 'Declined',
          position: 'Web developer',
          rating: 2,
          foundUsBy: 'Job board',
        },
      ],
    },
  ],
}
