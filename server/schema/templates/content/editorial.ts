import type { Template } from '#domain/collections/template.ts'

export const EDITORIAL: Template = {
  id: 'editorial',
  label: 'Content calendar',
  purpose: 'Articles from idea to publication: author, editor and status.',
  alsoCalled: 'editorial plan, articles, blog, social media, marketing',
  collections: [
    {
      name: 'authors',
      label: 'Authors',
      description: 'Everyone who writes for us.',
      icon: 'users',
      color: 'amber',
      titleField: 'name',
      fields: [
        { label: 'Name', kind: 'text', required: true },
        { label: 'Email', kind: 'email' },
        { label: 'Page', kind: 'url' },
        { label: 'About', kind: 'rich-text' },
      ],
      views: [],
      records: [
        { name: 'Amara Okafor', email: 'amara@example.com' },
        { name: 'Jonas Lind', email: 'jonas@example.com' },
      ],
    },
    {
      name: 'articles',
      label: 'Articles',
      description: 'Articles from idea to publication.',
      icon: 'file-text',
      color: 'orange',
      titleField: 'title',
      fields: [
        { label: 'Title', kind: 'text', required: true },
        {
          label: 'Status',
          kind: 'state',
          options: {
            choices: [
              { name: 'Idea', color: 'gray' },
              { name: 'Draft', color: 'blue' },
              { name: 'In review', color: 'violet' },
              { name: 'Scheduled', color: 'amber' },
              { name: 'Published', color: 'green' },
            ],
          },
        },
        {
          label: 'Section',
          kind: 'select',
          options: {
            choices: [
              { name: 'News', color: 'red' },
              { name: 'Portrait', color: 'pink' },
              { name: 'Guide', color: 'teal' },
            ],
          },
        },
        { label: 'Authors', kind: 'relation', options: { collection: 'authors', many: true } },
        { label: 'Editor', kind: 'user' },
        { label: 'Comes out', description: 'The planned day of publication.', kind: 'date' },
        {
          label: 'Channels',
          kind: 'multi-select',
          options: {
            choices: [
              { name: 'Web', color: 'cyan' },
              { name: 'Newsletter', color: 'orange' },
              { name: 'Print', color: 'olive' },
            ],
          },
        },
        { label: 'Text', kind: 'rich-text' },
        { label: 'Pictures', kind: 'files', options: { accept: ['image/*'] } },
        { label: 'Address', kind: 'url' },
      ],
      transitions: [
        { name: 'Begin writing', from: 'Idea', to: 'Draft' },
        { name: 'Hand in', from: 'Draft', to: 'In review' },
        { name: 'Send back', from: 'In review', to: 'Draft', note: 'required' },
        { name: 'Schedule', from: 'In review', to: 'Scheduled' },
        { name: 'Publish', from: 'Scheduled', to: 'Published' },
        { name: 'Hold back', from: 'Scheduled', to: 'In review', note: 'optional' },
      ],
      states: { Draft: { requiredToLeave: ['text'] }, Published: { frozen: ['text', 'title'] } },
      rules: [
        {
          when: 'status in ("Scheduled", "Published")',
          then: 'comesOut is not empty',
          message: 'Scheduled articles need a publication date.',
          field: 'comesOut',
        },
      ],
      views: [
        {
          name: 'By status',
          group: 'status',
          sort: 'comesOut',
          hidden: ['text', 'address'],
          colors: [{ filter: 'comesOut < @today && status != "Published"', color: 'red', field: 'comesOut' }],
        },
        {
          name: 'Board',
          sort: 'comesOut',
          hidden: ['text', 'address'],
          display: { kind: 'board', options: { by: 'status', cover: 'pictures' } },
        },
        {
          name: 'Calendar',
          hidden: ['text', 'address'],
          display: { kind: 'calendar', options: { start: 'comesOut' } },
        },
        { name: 'For me to read', filter: 'editor = @me && status = "In review"', sort: 'comesOut' },
      ],
      records: [
        {
          title: 'A day in the reading room',
          status: 'In review',
          section: 'Portrait',
          authors: ['Amara Okafor'],
          editor: { person: 'me' },
          comesOut: { inDays: 4 },
          channels: ['Web', 'Newsletter'],
          text: 'The doors open at nine.\nBy ten past, every table by the window is taken.',
        },
        {
          title: 'How to keep paper dry',
          status: 'Scheduled',
          section: 'Guide',
          authors: ['Jonas Lind'],
          comesOut: { inDays: 9 },
          channels: ['Web'],
          text: 'Paper wants air that is cool and dry.',
        },
        { title: 'New opening hours', status: 'Draft', section: 'News', comesOut: { inDays: -1 }, channels: ['Web'] },
        {
          title: 'Maps of imaginary places',
          status: 'Idea',
          section: 'Portrait',
          authors: ['Amara Okafor', 'Jonas Lind'],
        },
      ],
    },
  ],
}
