// The survey of the demo account that newcomers are led to: by the first start, and by the page at /.

export const demoSurveyId = 'acme-web-browse-3';
